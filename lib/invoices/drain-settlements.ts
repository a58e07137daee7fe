import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { notifyChanges } from './notify-changes';
import { type Settlement, settleInvoice } from './settle-invoice';
import { deleteTasksWithoutInvoice, selectQueuedInvoices } from './settlement-repository';

const BATCH = 200;

/**
 * Settles every invoice of a coin that has a settlement task, in batches, until the queue is empty. One that cannot be
 * settled keeps its task and holds up no other.
 * @returns uuids of the invoices that changed
 * @throws AggregateError after all others are settled, with the reason of each that could not be
 */
export async function drainSettlements(db: Database, coin: Coin, clock: Clock): Promise<string[]> {
  const changed: string[] = [];
  const failures = new Map<number, unknown>();
  await deleteTasksWithoutInvoice(db.pool, coin);
  for (;;) {
    const ids = await selectQueuedInvoices(db.pool, coin, [...failures.keys()], BATCH);
    if (ids.length === 0) break;
    const settlements: Settlement[] = [];
    for (const id of ids) {
      try {
        const settlement = await settleInvoice(db, id, clock);
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
