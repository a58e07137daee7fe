import type { ReadChain } from '@/lib/deposits/confirmations';
import { CHAIN_INFO, type Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import { type InvoiceStatus, isPaidStatus, type PaymentState } from '@/lib/shared/invoice-status';
import { REVERSAL_SECONDS } from '@/lib/shared/limits';
import { leastToldUnits, smallestShownUnits } from '@/lib/shared/money';
import { addSeconds } from '@/lib/shared/time';
import { type DepositFact, type LateRule, type Sums, sumUp } from './counted-money';

export interface InvoiceFacts extends LateRule {
  status: InvoiceStatus;
  expiresAt: Date;
  /** How long the chain's watcher was down while the invoice was open: it does not count against the payer. */
  downtimeSeconds: number;
  /** How much less than the amount due still counts as paid, in hundredths of a percent. */
  toleranceBasisPoints: number;
  /** Set while a payment that had settled it is off the chain. */
  reversedAt: Date | null;
  paidAt: Date | null;
  /** Null until a coin is chosen. */
  priced: { coin: Coin; chain: Chain; dueUnits: bigint; chainEpoch: number } | null;
}

/** How far the coin's chain was read. Null height and time: not at all yet. */
export interface ChainFacts extends ReadChain {
  time: Date | null;
  epoch: number;
}

export interface Decision {
  status: InvoiceStatus;
  paymentState: PaymentState;
  /** Seen in time (or accepted late), confirmed or not. */
  amountPaidUnits: bigint;
  /** The confirmed part of it. */
  amountConfirmedUnits: bigint;
  /** All money on the wallet that is on the chain, in time or not. */
  amountReceivedUnits: bigint;
  /** The fewest confirmations among the money that counts; 0 when there is none. */
  confirmations: number;
  reversedAt: Date | null;
  paidAt: Date | null;
  /** Late money is part of what paid it: from now on all of it is accepted, whatever the owner's setting becomes. */
  usesLate: boolean;
}

/** The last moment at which money still counts as in time. */
function inTimeUntil({ expiresAt, downtimeSeconds }: InvoiceFacts, chain: Chain): Date {
  return addSeconds(expiresAt, CHAIN_INFO[chain].inclusionGraceSeconds + downtimeSeconds);
}

/**
 * Decides status and payment state of an invoice from the facts alone. Pure and total: the same facts always give the
 * same answer, in whatever order the deposits come, and deciding twice changes nothing.
 * @param now used only while no coin is chosen; after that the coin's chain time decides
 */
export function decide(
  invoice: InvoiceFacts,
  deposits: readonly DepositFact[],
  chain: ChainFacts,
  now: Date,
): Decision {
  if (!invoice.priced) return decideUnpriced(invoice, now);
  const decision = decidePriced(invoice, invoice.priced, { deposits, chain, now });
  // Where late money is part of what pays, all of it is accepted from then on, and counts at once.
  if (!decision.usesLate || invoice.acceptsLate) return decision;
  return decidePriced({ ...invoice, acceptsLate: true }, invoice.priced, { deposits, chain, now });
}

interface Situation {
  deposits: readonly DepositFact[];
  chain: ChainFacts;
  now: Date;
}

function decidePriced(
  invoice: InvoiceFacts,
  priced: NonNullable<InvoiceFacts['priced']>,
  { deposits, chain, now }: Situation,
): Decision {
  const { coin, dueUnits } = priced;
  const sums = sumUp(invoice, deposits, chain, inTimeUntil(invoice, priced.chain));
  const covers = (units: bigint) => dueUnits - units < leastShort(invoice, dueUnits, coin);
  const status = nextStatus(invoice, priced, chain, covers(sums.counted), covers(sums.confirmed));
  const reversed = invoice.status === 'paid' && status === 'pending';
  const reversedAt = reversed ? (chain.time ?? now) : status === 'pending' ? invoice.reversedAt : null;
  const over = sums.received - dueUnits >= leastToldUnits(coin);
  return {
    status,
    paymentState: paymentStateOf(status, sums, {
      seenCovers: covers(sums.counted),
      over,
      isReversed: reversedAt !== null,
      isLate: sums.late >= leastToldUnits(coin),
      isPartial: sums.counted >= smallestShownUnits(coin),
    }),
    amountPaidUnits: sums.counted,
    amountConfirmedUnits: sums.confirmed,
    amountReceivedUnits: sums.received,
    confirmations: sums.confirmations,
    reversedAt,
    paidAt: isPaidStatus(status) ? (invoice.paidAt ?? chain.time ?? now) : null,
    usesLate: status === 'paid' && sums.acceptedLate > 0n,
  };
}

/** From this many units missing on, an invoice is not paid. */
function leastShort({ toleranceBasisPoints }: InvoiceFacts, dueUnits: bigint, coin: Coin): bigint {
  const tolerated = (dueUnits * BigInt(toleranceBasisPoints)) / 10_000n + 1n;
  const shown = smallestShownUnits(coin);
  return tolerated > shown ? tolerated : shown;
}

function decideUnpriced(invoice: InvoiceFacts, now: Date): Decision {
  const isOver = invoice.status === 'pending' && now >= invoice.expiresAt;
  return {
    status: isOver ? 'expired' : invoice.status,
    paymentState: 'unpaid',
    amountPaidUnits: 0n,
    amountConfirmedUnits: 0n,
    amountReceivedUnits: 0n,
    confirmations: 0,
    reversedAt: null,
    paidAt: invoice.paidAt,
    usesLate: false,
  };
}

function nextStatus(
  invoice: InvoiceFacts,
  priced: NonNullable<InvoiceFacts['priced']>,
  chain: ChainFacts,
  seenCovers: boolean,
  confirmedCovers: boolean,
): InvoiceStatus {
  if (invoice.status === 'forcePaid') return 'forcePaid';
  // A devnet that was replaced took its money along: what was paid stays paid, what was open can never be paid.
  if (priced.chainEpoch !== chain.epoch) return invoice.status === 'pending' ? 'expired' : invoice.status;
  if (invoice.status === 'paid') return seenCovers ? 'paid' : 'pending';
  if (confirmedCovers) return 'paid';
  if (invoice.status === 'expired' || seenCovers) return invoice.status;
  const returnsUntil = invoice.reversedAt ? addSeconds(invoice.reversedAt, REVERSAL_SECONDS) : null;
  const until = inTimeUntil(invoice, priced.chain);
  const isOver = chain.time !== null && chain.time > until && (returnsUntil === null || chain.time > returnsUntil);
  return isOver ? 'expired' : 'pending';
}

interface Comparison {
  seenCovers: boolean;
  over: boolean;
  isReversed: boolean;
  /** More than the dust that strangers send to every address they see. */
  isLate: boolean;
  isPartial: boolean;
}

function paymentStateOf(
  status: InvoiceStatus,
  sums: Sums,
  { seenCovers, over, isReversed, isLate, isPartial }: Comparison,
): PaymentState {
  if (status === 'paid') return over ? 'overpaid' : 'settled';
  if (status === 'forcePaid') return over ? 'overpaid' : sums.received > 0n ? 'settled' : 'unpaid';
  if (status === 'expired' && isLate) return 'late';
  if (seenCovers) return sums.mined ? 'confirming' : 'seen';
  if (isReversed) return 'reversed';
  return isPartial ? 'partial' : 'unpaid';
}
