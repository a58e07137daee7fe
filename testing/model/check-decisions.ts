import type { DepositFact } from '@/lib/invoices/counted-money';
import { type ChainFacts, type Decision, decide, type InvoiceFacts } from '@/lib/invoices/state';
import { type Books, type CursorRow, type DepositRow, type InvoiceRow, isOfReplacedChain, moneyFor } from './books';
import { Violation } from './violation';

export interface DecisionCheck {
  now: Date;
  /** The greatest height at which the cursor ever stood. */
  peakHeight: number;
  /** The expiry loop has just run: nothing whose time is over may still be open. */
  isExpiryDone: boolean;
}

/**
 * I6: an invoice is stored as its facts decide, once its wallet's queue is empty.
 * @throws Violation
 */
export function checkDecisions(books: Books, check: DecisionCheck): void {
  for (const invoice of books.invoices) {
    if (invoice.walletId !== null && books.queued.includes(invoice.walletId)) continue;
    const deposits = moneyFor(invoice, books);
    const decision = decide(factsOf(invoice), deposits.map(depositFact), chainFacts(books.cursor), check.now);
    const isDue = invoice.status === 'pending' && decision.status === 'expired';
    if (isDue && check.isExpiryDone) throw new Violation('I6 what is over is expired', { invoice, decision });
    // After a reorg fewer confirmations may count than before, until the cursor is where it was.
    const isAtPeak = BigInt(check.peakHeight) <= BigInt(books.cursor?.height ?? 0);
    if (!isDue) checkDecision(invoice, decision, isAtPeak && !isOfReplacedChain(invoice, books));
  }
}

function checkDecision(invoice: InvoiceRow, decision: Decision, isAtPeak: boolean): void {
  const isSame =
    invoice.status === decision.status &&
    invoice.paymentState === decision.paymentState &&
    BigInt(invoice.amountPaidUnits) === decision.amountPaidUnits &&
    BigInt(invoice.amountReceivedUnits) === decision.amountReceivedUnits &&
    (!isAtPeak || BigInt(invoice.amountConfirmedUnits) === decision.amountConfirmedUnits) &&
    toTime(invoice.paidAt)?.getTime() === decision.paidAt?.getTime() &&
    toTime(invoice.reversedAt)?.getTime() === decision.reversedAt?.getTime();
  if (!isSame) throw new Violation('I6 a status is what the facts say', { invoice, decision });
}

const toTime = (text: string | null) => (text === null ? null : new Date(text));

function factsOf(invoice: InvoiceRow): InvoiceFacts {
  const { coin, dueUnits, chainEpoch } = invoice;
  return {
    status: invoice.status,
    expiresAt: new Date(invoice.expiresAt),
    downtimeSeconds: invoice.downtimeSeconds,
    toleranceBasisPoints: invoice.toleranceBasisPoints,
    acceptsLate: invoice.acceptsLate,
    takesLateFrom: toTime(invoice.takesLateFrom),
    reversedAt: toTime(invoice.reversedAt),
    paidAt: toTime(invoice.paidAt),
    priced:
      coin && dueUnits && chainEpoch !== null
        ? { coin, chain: 'ethereum', dueUnits: BigInt(dueUnits), chainEpoch }
        : null,
  };
}

function depositFact(deposit: DepositRow): DepositFact {
  return {
    amountUnits: BigInt(deposit.amountUnits),
    blockHeight: BigInt(deposit.height),
    blockTime: new Date(deposit.time),
    seenAt: new Date(deposit.seenAt),
    bookedAt: toTime(deposit.bookedAt),
    orphaned: deposit.isOrphaned,
    extraConfirmations: 0,
  };
}

function chainFacts(cursor: CursorRow | null): ChainFacts {
  if (!cursor) return { height: null, confirmedHeight: null, time: null, epoch: 0 };
  const { height, time, epoch, confirmations } = cursor;
  const confirmedHeight = BigInt(height) - BigInt(confirmations) + 1n;
  return { height: BigInt(height), confirmedHeight, time: new Date(time), epoch };
}
