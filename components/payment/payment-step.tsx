import type { ReactNode } from 'react';
import { Countdown } from '@/components/ui/countdown';
import { Notice } from '@/components/ui/notice';
import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { chainOf } from '@/lib/shared/coins';
import { ReceiptNote } from './outcome';
import { PartialBox } from './partial-box';
import { PayBox } from './pay-box';
import { StepTitle } from './step';
import { TrustWalletButton } from './trust-wallet-button';

interface PaymentStepProps {
  invoice: PublicInvoiceView;
  secondsLeft: number;
}

/** Step 3: pay, or pay the rest of what is due. */
export function PaymentStep({ invoice, secondsLeft }: PaymentStepProps) {
  const { wallet, cryptoType: coin } = invoice;
  const isPartial = invoice.paymentState === 'partial';
  const due = invoice.amountRemaining ?? invoice.amount;
  if (!wallet || !coin || due === null) return null;
  return (
    <>
      <StepTitle hidden>{isPartial ? 'Pagamento parziale' : `Pagamento in ${coin}`}</StepTitle>
      <div className="mt-6">
        <Countdown
          secondsLeft={secondsLeft}
          totalSeconds={invoice.expiryMinutes * 60}
          aside={<Awaiting>{isPartial ? 'In attesa del resto' : 'In attesa del pagamento'}</Awaiting>}
        />
      </div>
      {isPartial && <PartialBox invoice={invoice} coin={coin} />}
      <div className="mt-6 mb-4">
        <PayBox
          coin={coin}
          address={wallet.address}
          amount={due}
          amountLabel={isPartial ? 'Invia il resto' : 'Invia esattamente'}
          withAmountQr
          action={<TrustWalletButton payment={{ coin, address: wallet.address, amount: due }} />}
        />
      </div>
      <Notice tone="warning" className="text-base">
        Invia <strong className="font-semibold">solo {coin}</strong> su rete {chainOf(coin).network}. Altre monete o
        altre reti andrebbero perse.
      </Notice>
      <ReceiptNote email={invoice.email} />
    </>
  );
}

/** A breathing dot and what the page waits for. */
function Awaiting({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-2 text-sm text-ink-2">
      <span aria-hidden="true" className="size-2 animate-breathe rounded-full bg-info" />
      {children}
    </span>
  );
}
