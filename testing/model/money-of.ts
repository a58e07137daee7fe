import { CHAIN_INFO } from '@/lib/shared/chains';
import { type Books, type InvoiceRow, moneyFor } from './books';

/** An invoice's money in base units, summed up without the product's own arithmetic. */
export interface Money {
  /** All that is on the chain. */
  received: bigint;
  /** What counts: in time, or late and accepted. */
  paid: bigint;
  /** The part of it that has its confirmations at the cursor. */
  confirmed: bigint;
}

export function moneyOf(invoice: InvoiceRow, books: Books): Money {
  const { cursor } = books;
  const patienceMs = (CHAIN_INFO.ethereum.inclusionGraceSeconds + invoice.downtimeSeconds) * 1000;
  const until = invoice.acceptsLate ? Number.POSITIVE_INFINITY : Date.parse(invoice.expiresAt) + patienceMs;
  const isThePolicys = (bookedAt: string | null) =>
    invoice.takesLateFrom !== null && (bookedAt === null || Date.parse(bookedAt) >= Date.parse(invoice.takesLateFrom));
  const confirmedHeight = Number(cursor?.height ?? 0) - (cursor?.confirmations ?? 1) + 1;
  const money: Money = { received: 0n, paid: 0n, confirmed: 0n };
  for (const { isOrphaned, amountUnits, height, seenAt, bookedAt, time } of moneyFor(invoice, books)) {
    if (isOrphaned) continue;
    money.received += BigInt(amountUnits);
    if (Math.min(Date.parse(seenAt), Date.parse(time)) > until && !isThePolicys(bookedAt)) continue;
    money.paid += BigInt(amountUnits);
    if (Number(height) <= confirmedHeight) money.confirmed += BigInt(amountUnits);
  }
  return money;
}
