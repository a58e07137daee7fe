import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { selectExpirable } from './expiry-repository';
import { notifyChanges, type Settlement, settleInvoice } from './settle-invoice';

const BATCH = 200;

/**
 * Settles the pending invoices whose time is over, a batch at a time. The query only proposes: the decision is made
 * under the lock by `settleInvoice`. One that cannot be settled holds up no other.
 * @returns how many became expired
 * @throws AggregateError after all others, with the reason of each that could not be settled
 */
export async function expireInvoices(db: Database, clock: Clock): Promise<number> {
  const settlements: Settlement[] = [];
  const failures = new Map<number, unknown>();
  for (;;) {
    const ids = await selectExpirable(db.pool, { now: clock(), except: [...failures.keys()], limit: BATCH });
    const failedBefore = failures.size;
    for (const id of ids) {
      try {
        const settlement = await settleInvoice(db, id, clock);
        if (settlement) settlements.push(settlement);
      } catch (error) {
        failures.set(id, error);
      }
    }
    // Another round only where failures took the places of others.
    if (ids.length < BATCH || failures.size === failedBefore) break;
  }
  await notifyChanges(db, settlements);
  if (failures.size > 0)
    throw new AggregateError(failures.values(), `Invoices not expired: ${[...failures.keys()].join(', ')}.`);
  return settlements.filter((settlement) => settlement.statusChanged).length;
}
