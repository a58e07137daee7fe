import { amountOver } from '@/components/payment/amount-over';
import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { toShownAmount } from '@/lib/shared/money';

/** What came to an invoice's wallet, in time or not; amounts are decimal texts with 8 decimals. */
export interface ReceivedMoney {
  received: string;
  /** Beyond what is due; null when nothing is. */
  over: string | null;
  /** Short of what is due; null when nothing is. */
  missing: string | null;
  isConfirmed: boolean;
}

/** Sums the payments that are on the chain now; null until the coin is chosen. */
export function receivedMoney({
  cryptoType: coin,
  amount,
  payments,
}: Pick<InvoiceDetailView, 'cryptoType' | 'amount' | 'payments'>): ReceivedMoney | null {
  if (!coin || amount === null) return null;
  const counted = payments.filter(({ status }) => status !== 'orphaned');
  const units = counted.reduce((sum, payment) => sum + BigInt(payment.amountUnits), 0n);
  const received = toShownAmount(units, coin, 'down');
  return {
    received,
    over: amountOver(received, amount),
    missing: amountOver(amount, received),
    isConfirmed: counted.every(({ status }) => status === 'confirmed'),
  };
}
