import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { type CreditOrder, creditDifference, type ProvenBalance } from '@/lib/deposits/credit-difference';
import { lessenSurplus } from './surplus-repository';

/**
 * An operator's act: money on an address that the records do not explain becomes a deposit, and its owner is not shown it as
 * unexplained any more.
 * @returns the units that were credited; 0 when nothing is unexplained any more, or blocks are being taken back just now
 */
export function creditSurplus(db: Database, proven: ProvenBalance, order: CreditOrder): Promise<bigint> {
  return transaction(db, async (sql) => {
    const units = await creditDifference(sql, proven, order);
    if (units > 0n) await lessenSurplus(sql, proven, units);
    return units;
  });
}
