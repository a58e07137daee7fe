import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { parseUnits, SHOWN_DECIMALS } from '@/lib/shared/money';

/**
 * What a paid invoice received, as a decimal text with 8 decimals; null when nothing came in its coin. Of one that its owner
 * declared paid, late money is part of it.
 */
export function receivedAmount({
  status,
  amountPaid,
  wallet,
}: Pick<PublicInvoiceView, 'status' | 'amountPaid' | 'wallet'>): string | null {
  const onWallet = status === 'forcePaid' ? (wallet?.balance ?? amountPaid) : amountPaid;
  const units = (amount: string) => parseUnits(amount, SHOWN_DECIMALS) ?? 0n;
  const received = units(onWallet) > units(amountPaid) ? onWallet : amountPaid;
  return units(received) > 0n ? received : null;
}
