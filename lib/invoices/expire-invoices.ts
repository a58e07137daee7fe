import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { selectExpirable } from './expiry-repository';
import { notifyChanges, type Settlement, settleInvoice } from './settle-invoice';

const BATCH = 200;

/**
 * Settles the pending invoices whose time is over, a batch at a time. The query only proposes: the decision is made
 * under the lock by `settleInvoice`.
 * @returns how many became expired
 */
export async function expireInvoices(db: Database, clock: Clock): Promise<number> {
  const settlements: Settlement[] = [];
  for (const id of await selectExpirable(db.pool, clock(), BATCH)) {
    const settlement = await settleInvoice(db, id, clock);
    if (settlement) settlements.push(settlement);
  }
  await notifyChanges(db, settlements);
  return settlements.filter((settlement) => settlement.statusChanged).length;
}
