import type { InvoiceStatus, PaymentState } from '@/lib/contract/invoices';
import { confirmationsOf } from '@/lib/deposits/confirmations';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { smallestShownUnits } from '@/lib/shared/money';
import { addSeconds } from '@/lib/shared/time';

/** How long a paid invoice whose blocks were orphaned waits for them to return, in chain time (design, section 5). */
const REVERSAL_SECONDS = 24 * 3600;

/** Money that was seen on the invoice's wallet. Orphaned money is not on the chain now. */
export interface DepositFact {
  amountUnits: bigint;
  /** Null while it waits in the mempool. */
  blockHeight: bigint | null;
  blockTime: Date | null;
  seenAt: Date;
  orphaned: boolean;
}

export interface InvoiceFacts {
  status: InvoiceStatus;
  expiresAt: Date;
  /** Set while a payment that had settled it is off the chain. */
  reversedAt: Date | null;
  paidAt: Date | null;
  /** Null until a coin is chosen. */
  priced: { coin: Coin; dueUnits: bigint; chainEpoch: number } | null;
}

/** How far the coin's chain was read. Null height and time: not at all yet. */
export interface ChainFacts {
  height: bigint | null;
  time: Date | null;
  epoch: number;
  confirmationsRequired: number;
}

export interface Decision {
  status: InvoiceStatus;
  paymentState: PaymentState;
  /** Seen in time, confirmed or not. */
  amountPaidUnits: bigint;
  /** Seen in time and confirmed. */
  amountConfirmedUnits: bigint;
  /** The fewest confirmations among the money that counts; 0 when there is none. */
  confirmations: number;
  reversedAt: Date | null;
  paidAt: Date | null;
}

interface Sums {
  inTime: bigint;
  confirmed: bigint;
  late: bigint;
  confirmations: number;
  /** All money in time is in a block. */
  mined: boolean;
}

/** The last moment at which money still counts as in time. */
export function inTimeUntil(expiresAt: Date, coin: Coin): Date {
  return addSeconds(expiresAt, COIN_INFO[coin].inclusionGraceSeconds);
}

function sumUp(deposits: readonly DepositFact[], chain: ChainFacts, until: Date): Sums {
  const sums: Sums = { inTime: 0n, confirmed: 0n, late: 0n, confirmations: 0, mined: true };
  let fewest = Number.POSITIVE_INFINITY;
  for (const deposit of deposits) {
    if (deposit.orphaned) continue;
    if ((deposit.blockTime ?? deposit.seenAt) > until) {
      sums.late += deposit.amountUnits;
      continue;
    }
    const confirmations = confirmationsOf({ blockHeight: deposit.blockHeight, orphanedAt: null }, chain.height);
    sums.inTime += deposit.amountUnits;
    if (confirmations >= chain.confirmationsRequired) sums.confirmed += deposit.amountUnits;
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
  const sums = sumUp(deposits, chain, inTimeUntil(invoice.expiresAt, coin));
  const covers = (units: bigint) => dueUnits - units < smallestShownUnits(coin);
  const status = nextStatus(invoice, invoice.priced, chain, covers(sums.inTime), covers(sums.confirmed));
  const reversed = invoice.status === 'paid' && status === 'pending';
  const reversedAt = reversed ? (chain.time ?? now) : status === 'pending' ? invoice.reversedAt : null;
  const over = sums.inTime + sums.late - dueUnits >= smallestShownUnits(coin);
  return {
    status,
    paymentState: paymentStateOf(status, sums, covers(sums.inTime), over, reversedAt !== null),
    amountPaidUnits: sums.inTime,
    amountConfirmedUnits: sums.confirmed,
    confirmations: sums.confirmations,
    reversedAt,
    paidAt: status === 'paid' || status === 'forcePaid' ? (invoice.paidAt ?? chain.time ?? now) : null,
  };
}

function decideUnpriced(invoice: InvoiceFacts, now: Date): Decision {
  const isOver = invoice.status === 'pending' && now >= invoice.expiresAt;
  return {
    status: isOver ? 'expired' : invoice.status,
    paymentState: 'unpaid',
    amountPaidUnits: 0n,
    amountConfirmedUnits: 0n,
    confirmations: 0,
    reversedAt: null,
    paidAt: invoice.paidAt,
  };
}

function nextStatus(
  invoice: InvoiceFacts,
  { coin, chainEpoch }: NonNullable<InvoiceFacts['priced']>,
  chain: ChainFacts,
  seenCovers: boolean,
  confirmedCovers: boolean,
): InvoiceStatus {
  if (invoice.status === 'forcePaid') return 'forcePaid';
  // A devnet that was replaced took its money along: what was paid stays paid, what was open can never be paid.
  if (chainEpoch !== chain.epoch) return invoice.status === 'pending' ? 'expired' : invoice.status;
  if (invoice.status === 'paid') return seenCovers ? 'paid' : 'pending';
  if (confirmedCovers) return 'paid';
  if (invoice.status === 'expired' || seenCovers) return invoice.status;
  const returnsUntil = invoice.reversedAt ? addSeconds(invoice.reversedAt, REVERSAL_SECONDS) : null;
  const until = inTimeUntil(invoice.expiresAt, coin);
  const isOver = chain.time !== null && chain.time > until && (returnsUntil === null || chain.time > returnsUntil);
  return isOver ? 'expired' : 'pending';
}

function paymentStateOf(
  status: InvoiceStatus,
  sums: Sums,
  seenCovers: boolean,
  over: boolean,
  isReversed: boolean,
): PaymentState {
  if (status === 'paid') return over ? 'overpaid' : 'settled';
  if (status === 'forcePaid') return over ? 'overpaid' : sums.inTime + sums.late > 0n ? 'settled' : 'unpaid';
  if (status === 'expired' && sums.late > 0n) return 'late';
  if (seenCovers) return sums.mined ? 'confirming' : 'seen';
  if (isReversed) return 'reversed';
  return sums.inTime > 0n ? 'partial' : 'unpaid';
}
