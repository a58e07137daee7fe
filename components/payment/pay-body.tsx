'use client';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import type { CoinEstimates } from './coin-estimates';
import { CoinStep } from './coin-step';
import { Confirming } from './confirming';
import { EmailStep } from './email-step';
import { Expired } from './expired';
import { Paid } from './paid';
import type { PayScreen } from './pay-screen';
import { PaymentStep } from './payment-step';
import { Reversed } from './reversed';
import type { StepAction } from './step-action';

interface PayBodyProps {
  screen: PayScreen;
  invoice: PublicInvoiceView;
  secondsLeft: number;
  estimates: CoinEstimates;
  setEmail: StepAction;
  chooseCoin: StepAction;
}

/** The right side of the slip, one screen at a time. */
export function PayBody({ screen, invoice, secondsLeft, estimates, setEmail, chooseCoin }: PayBodyProps) {
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
