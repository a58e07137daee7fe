'use client';
import { useEffect, useRef, useState } from 'react';
import { Slip } from '@/components/ui/slip';
import { Stepper } from '@/components/ui/stepper';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { useCountdown } from '@/lib/client/use-countdown';
import type { CoinEstimates } from './coin-estimates';
import { PayBody } from './pay-body';
import { isFinal, type PayScreen, payScreen } from './pay-screen';
import { secondsBetween } from './seconds-between';
import { SlipHead } from './slip-head';
import { SlipInfo } from './slip-info';
import type { StepAction } from './step-action';
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
