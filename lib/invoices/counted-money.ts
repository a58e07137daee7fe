import { confirmationsOf, isConfirmed, type MinedDeposit, type ReadChain } from '@/lib/deposits/confirmations';

/** Money that was seen on the invoice's wallet. */
export interface DepositFact extends MinedDeposit {
  amountUnits: bigint;
  blockTime: Date | null;
  seenAt: Date;
  /** When its money was booked to the invoice's wallet, or given to it later; null until it is booked. */
  bookedAt: Date | null;
}

/** What the owner says of money that comes after the time. */
export interface LateRule {
  /** The owner took this invoice's late money: it counts as if it had come in time. */
  acceptsLate: boolean;
  /**
   * Since when the owner's policy takes late money, of this invoice too; null when it does not. Money that was booked before is
   * not the policy's: the owner was asked about it.
   */
  takesLateFrom: Date | null;
}

/** Sums in base units. */
export interface Sums {
  /** Money that counts: in time, or late and accepted. */
  counted: bigint;
  confirmed: bigint;
  /** Money after the time, accepted or not. */
  late: bigint;
  /** The accepted part of it. */
  acceptedLate: bigint;
  received: bigint;
  /** The fewest among the money that counts; 0 when there is none. */
  confirmations: number;
  /** All money that counts is in a block. */
  mined: boolean;
}

/** Late money counts: the owner took it by hand, or the policy does and held already when it was booked. */
function takesLate({ acceptsLate, takesLateFrom }: LateRule, { bookedAt }: DepositFact): boolean {
  return acceptsLate || (takesLateFrom !== null && (bookedAt === null || bookedAt >= takesLateFrom));
}

/** When money arrived: in its block, or at our first sight of it, which is earlier when a reorg moved it to a later block. */
function firstSight({ blockTime, seenAt }: DepositFact): Date {
  return blockTime && blockTime < seenAt ? blockTime : seenAt;
}

/** Adds up an invoice's money. @param until the last moment at which money is in time */
export function sumUp(rule: LateRule, deposits: readonly DepositFact[], chain: ReadChain, until: Date): Sums {
  const sums = { counted: 0n, confirmed: 0n, late: 0n, acceptedLate: 0n, received: 0n, confirmations: 0, mined: true };
  let fewest = Number.POSITIVE_INFINITY;
  for (const deposit of deposits) {
    if (deposit.orphaned) continue;
    sums.received += deposit.amountUnits;
    if (firstSight(deposit) > until) {
      sums.late += deposit.amountUnits;
      if (!takesLate(rule, deposit)) continue;
      sums.acceptedLate += deposit.amountUnits;
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
