import { smallestShownUnits } from '@/lib/shared/money';
import { type Books, type InvoiceRow, isOfReplacedChain } from './books';
import { type Money, moneyOf } from './money-of';
import { Violation } from './violation';

export interface SumsCheck {
  /** What was stored before the last step. */
  before: Books;
  /** The greatest height at which the cursor ever stood. */
  peakHeight: number;
}

/**
 * I5: an invoice's amounts are the sums of its live deposits, once its wallet's queue is empty. And what has just become
 * paid was paid with confirmed money: nothing is credited before its time.
 * @throws Violation
 */
export function checkSums(books: Books, { before, peakHeight }: SumsCheck): void {
  // After a reorg fewer confirmations may count than before, until the cursor is where it was.
  const isAtPeak = peakHeight <= Number(books.cursor?.height ?? 0);
  for (const invoice of books.invoices) {
    if (invoice.walletId !== null && books.queued.includes(invoice.walletId)) continue;
    const money = moneyOf(invoice, books);
    checkAmounts(invoice, money, isAtPeak && !isOfReplacedChain(invoice, books));
    const eventsBefore = before.invoices.find(({ id }) => id === invoice.id)?.events.length ?? 0;
    const isNew = invoice.events.slice(eventsBefore).some(({ from, to }) => from !== to && to === 'paid');
    if (isNew && invoice.status === 'paid' && isAtPeak && !isCovered(invoice, money.confirmed))
      throw new Violation('I6 an invoice is paid with confirmed money only', { invoice, money });
  }
}

function checkAmounts(invoice: InvoiceRow, { received, paid, confirmed }: Money, isAtPeak: boolean): void {
  const stored = BigInt(invoice.amountConfirmedUnits);
  const isSame =
    BigInt(invoice.amountReceivedUnits) === received &&
    BigInt(invoice.amountPaidUnits) === paid &&
    (isAtPeak ? stored === confirmed : stored <= paid);
  if (!isSame) throw new Violation('I5 an amount is the sum of its deposits', { invoice, received, paid, confirmed });
}

/** Short by no more than the owner tolerates, or than can be shown. */
function isCovered({ dueUnits, toleranceBasisPoints }: InvoiceRow, units: bigint): boolean {
  const due = BigInt(dueUnits ?? 0);
  const missing = due - units;
  return missing * 10_000n <= due * BigInt(toleranceBasisPoints) || missing < smallestShownUnits('ETH');
}
