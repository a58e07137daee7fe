import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { type DueInvoice, selectRetriable } from './due-repository';
import { selectExpirable } from './expiry-repository';
import { SET_SIZE, settleIsolated } from './settle-isolated';

/** Sets of one run: the next run comes a second later. */
const MOST_SETS = 10;

/**
 * Settles the pending invoices whose time is over, a set at a time, and tries those again whose settlement failed before. The
 * query only proposes: the decision is made under the lock. An invoice that somebody else holds is left to the next run; one
 * that cannot be settled holds up no other, and is tried again after a wait that grows (`settleIsolated`).
 * @returns how many became expired
 * @throws AggregateError after all others, with the reason of each that began to fail now: told once, not with every further try
 */
export async function expireInvoices(db: Database, clock: Clock): Promise<number> {
  const failures = new Map<number, unknown>();
  const settle = async (due: readonly DueInvoice[]) => {
    const outcome = await settleIsolated(db, due, clock, { skipLocked: true });
    for (const [id, reason] of outcome.failures) failures.set(id, reason);
    return outcome.settlements.filter((settlement) => settlement.statusChanged).length;
  };
  let expired = await settle(await selectRetriable(db.pool, SET_SIZE));
  for (let sets = 1; sets <= MOST_SETS; sets += 1) {
    const ids = await selectExpirable(db.pool, { now: clock(), limit: SET_SIZE });
    const moved = await settle(ids.map((id) => ({ id, failures: 0 })));
    expired += moved;
    if (ids.length < SET_SIZE || moved === 0) break;
  }
  if (failures.size === 0) return expired;
  throw new AggregateError(failures.values(), `Invoices not expired: ${[...failures.keys()].join(', ')}.`);
}
