import { COIN_INFO } from '@/lib/shared/coins';
import { type Books, moneyFor } from './books';
import { Violation } from './violation';

/**
 * An invoice is forced exactly when it is open or expired and its wallet received more than the threshold, or anything
 * at all when less than that is due.
 * @throws Violation
 */
export function checkForce(uuid: string, books: Books, answer: { value: { status: string } } | { code: string }): void {
  const invoice = books.invoices.find((stored) => stored.uuid === uuid);
  if (!invoice) throw new Violation('an invoice to force', uuid);
  const received = moneyFor(invoice, books)
    .filter(({ isOrphaned }) => !isOrphaned)
    .reduce((total, { amountUnits }) => total + BigInt(amountUnits), 0n);
  const threshold = COIN_INFO.ETH.forceThresholdUnits;
  const least = BigInt(invoice.dueUnits ?? 0) < threshold ? 0n : threshold;
  const isOpen = invoice.status === 'pending' || invoice.status === 'expired';
  const isAllowed = isOpen && invoice.dueUnits !== null && received > least;
  const outcome = 'code' in answer ? answer.code : answer.value.status;
  const isRight = isAllowed ? outcome === 'forcePaid' || outcome === 'paid' : outcome === 'force_not_allowed';
  if (!isRight) throw new Violation('who may be forced', { invoice, received, outcome });
}
