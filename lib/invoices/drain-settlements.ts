import type { Database } from '@/lib/db/database';
import { deleteTasksWithoutInvoice, selectQueuedInvoices } from '@/lib/deposits/queue-repository';
import type { Chain } from '@/lib/shared/chains';
import type { Clock } from '@/lib/shared/time';
import { notifyChanges, type Settlement, settleQueued } from './settle-invoice';

const BATCH = 200;

/**
 * Settles every invoice on a chain that has a settlement task, in batches, until the queue is empty. One that cannot be
 * settled keeps its task and holds up no other.
 * @returns uuids of the invoices that changed
 * @throws AggregateError after all others are settled, with the reason of each that could not be
 */
export async function drainSettlements(db: Database, chain: Chain, clock: Clock): Promise<string[]> {
  const changed: string[] = [];
  const failures = new Map<number, unknown>();
  await deleteTasksWithoutInvoice(db.pool, chain);
  for (;;) {
    const ids = await selectQueuedInvoices(db.pool, chain, [...failures.keys()], BATCH);
    if (ids.length === 0) break;
    const settlements: Settlement[] = [];
    for (const id of ids) {
      try {
        const settlement = await settleQueued(db, id, clock);
        if (settlement) settlements.push(settlement);
      } catch (error) {
        failures.set(id, error);
      }
    }
    await notifyChanges(db, settlements);
    changed.push(...settlements.filter((settlement) => settlement.changed).map((settlement) => settlement.uuid));
  }
  if (failures.size === 0) return changed;
  throw new AggregateError(failures.values(), `Invoices not settled: ${[...failures.keys()].join(', ')}.`);
}
