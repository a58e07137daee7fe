'use client';
import { useEffect, useRef, useState } from 'react';
import { Slip } from '@/components/ui/slip';
import { Stepper } from '@/components/ui/stepper';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { useCountdown } from '@/lib/client/use-countdown';
import { type CoinEstimates, CoinStep } from './coin-step';
import { Confirming, Reversed } from './confirming';
import { EmailStep } from './email-step';
import { Expired } from './expired';
import { Paid } from './paid';
import { isFinal, type PayScreen, payScreen } from './pay-screen';
import { PaymentStep } from './payment-step';
import { SlipHead, SlipInfo } from './slip-stub';
import type { StepAction } from './step';
import { useLiveInvoice } from './use-live-invoice';

const STEPS = ['Email', 'Criptovaluta', 'Pagamento'];

/** Index of the step that a screen belongs to; null at the ends, where the stepper is gone. */
const STEP_OF: Record<PayScreen, number | null> = {
  email: 0,
  coin: 1,
  pay: 2,
  partial: 2,
  confirming: 2,
  reversed: 2,
  paid: null,
  expired: null,
};

interface PayPageProps {
  /** As rendered by the server. */
  rendered: PublicInvoiceView;
  estimates: CoinEstimates;
  setEmail: StepAction;
  chooseCoin: StepAction;
}

/** The public payment page: complete as plain HTML, live where scripts run. */
export function PayPage({ rendered, estimates, setEmail, chooseCoin }: PayPageProps) {
  const { invoice, check } = useLiveInvoice(rendered);
  const expiry = isFinal(invoice) ? null : invoice.expiryDate;
  const secondsLeft =
    useCountdown(expiry, invoice.serverTime) ?? secondsBetween(invoice.serverTime, invoice.expiryDate);
  const isTimeUp = secondsLeft === 0;
  const screen = payScreen(invoice, isTimeUp);
  const step = STEP_OF[screen];

  const [firstScreen] = useState(screen);
  const body = useRef<HTMLDivElement>(null);
  const seen = useRef(screen);
  useEffect(() => {
    if (seen.current === screen) return;
    seen.current = screen;
    body.current?.querySelector('h1')?.focus();
  }, [screen]);
  // At zero the server has the last word: a payment may have been seen in the last seconds.
  const asksServer = isTimeUp && expiry !== null;
  useEffect(() => {
    if (asksServer) void check();
  }, [asksServer, check]);

  return (
    <Slip
      head={<SlipHead invoice={invoice} />}
      info={<SlipInfo invoice={invoice} screen={screen} justPaid={screen !== firstScreen} />}
    >
      <div ref={body}>
        {step !== null && <Stepper steps={STEPS} current={step} />}
        <PayBody
          key={screen}
          screen={screen}
          invoice={invoice}
          secondsLeft={secondsLeft}
          estimates={estimates}
          setEmail={setEmail}
          chooseCoin={chooseCoin}
        />
      </div>
    </Slip>
  );
}

interface PayBodyProps {
  screen: PayScreen;
  invoice: PublicInvoiceView;
  secondsLeft: number;
  estimates: CoinEstimates;
  setEmail: StepAction;
  chooseCoin: StepAction;
}

/** The right side of the slip, one screen at a time. */
function PayBody({ screen, invoice, secondsLeft, estimates, setEmail, chooseCoin }: PayBodyProps) {
  switch (screen) {
    case 'email':
      return <EmailStep uuid={invoice.uuid} setEmail={setEmail} />;
    case 'coin':
      return (
        <CoinStep
          uuid={invoice.uuid}
          availableCoins={invoice.availableCoins}
          estimates={estimates}
          chooseCoin={chooseCoin}
        />
      );
    case 'pay':
    case 'partial':
      return <PaymentStep invoice={invoice} secondsLeft={secondsLeft} />;
    case 'confirming':
      return <Confirming invoice={invoice} />;
    case 'reversed':
      return <Reversed invoice={invoice} />;
    case 'paid':
      return <Paid invoice={invoice} />;
    case 'expired':
      return <Expired invoice={invoice} />;
  }
}

/** Whole seconds from one moment to a later one (ISO texts), 0 when it is over. */
function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.ceil((Date.parse(to) - Date.parse(from)) / 1000));
}
