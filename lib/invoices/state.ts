import { confirmationsOf, isConfirmed, type MinedDeposit, type ReadChain } from '@/lib/deposits/confirmations';
import { CHAIN_INFO, type Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import { type InvoiceStatus, isPaidStatus, type PaymentState } from '@/lib/shared/invoice-status';
import { REVERSAL_SECONDS } from '@/lib/shared/limits';
import { leastToldUnits, smallestShownUnits } from '@/lib/shared/money';
import { addSeconds } from '@/lib/shared/time';

/** Money that was seen on the invoice's wallet. */
export interface DepositFact extends MinedDeposit {
  amountUnits: bigint;
  blockTime: Date | null;
  seenAt: Date;
}

export interface InvoiceFacts {
  status: InvoiceStatus;
  expiresAt: Date;
  /** How long the chain's watcher was down while the invoice was open: it does not count against the payer. */
  downtimeSeconds: number;
  /** How much less than the amount due still counts as paid, in hundredths of a percent. */
  toleranceBasisPoints: number;
  /** The owner takes late money as if it had come in time, always or for this invoice. */
  acceptsLate: boolean;
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
  /** Late money is part of what paid it: from now on it is accepted, whatever the owner's setting becomes. */
  usesLate: boolean;
}

interface Sums {
  /** Money that counts: in time, or late and accepted. */
  counted: bigint;
  confirmed: bigint;
  /** Money after the time, accepted or not. */
  late: bigint;
  received: bigint;
  confirmations: number;
  /** All money that counts is in a block. */
  mined: boolean;
}

/** The last moment at which money still counts as in time. */
function inTimeUntil({ expiresAt, downtimeSeconds }: InvoiceFacts, chain: Chain): Date {
  return addSeconds(expiresAt, CHAIN_INFO[chain].inclusionGraceSeconds + downtimeSeconds);
}

/** When money arrived: in its block, or at our first sight of it, which is earlier when a reorg moved it to a later block. */
function firstSight({ blockTime, seenAt }: DepositFact): Date {
  return blockTime && blockTime < seenAt ? blockTime : seenAt;
}

function sumUp(invoice: InvoiceFacts, deposits: readonly DepositFact[], chain: ChainFacts, until: Date): Sums {
  const sums: Sums = { counted: 0n, confirmed: 0n, late: 0n, received: 0n, confirmations: 0, mined: true };
  let fewest = Number.POSITIVE_INFINITY;
  for (const deposit of deposits) {
    if (deposit.orphaned) continue;
    sums.received += deposit.amountUnits;
    if (firstSight(deposit) > until) {
      sums.late += deposit.amountUnits;
      if (!invoice.acceptsLate) continue;
    }
    const confirmations = confirmationsOf(deposit, chain);
    sums.counted += deposit.amountUnits;
    if (isConfirmed(deposit, chain)) sums.confirmed += deposit.amountUnits;
    if (confirmations === 0) sums.mined = false;
    fewest = Math.min(fewest, confirmations);
  }
  if (Number.isFinite(fewest)) sums.confirmations = fewest;
  return sums;
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
  const { coin, dueUnits } = invoice.priced;
  const sums = sumUp(invoice, deposits, chain, inTimeUntil(invoice, invoice.priced.chain));
  const covers = (units: bigint) => dueUnits - units < leastShort(invoice, dueUnits, coin);
  const status = nextStatus(invoice, invoice.priced, chain, covers(sums.counted), covers(sums.confirmed));
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
    usesLate: invoice.acceptsLate && status === 'paid' && sums.late > 0n,
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
