import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { notifyChanges } from './notify-changes';
import { type Settlement, settleInvoice } from './settle-invoice';
import { deleteTasksWithoutInvoice, selectQueuedInvoices } from './settlement-repository';

const BATCH = 200;

/**
 * Settles every invoice of a coin that has a settlement task, in batches, until the queue is empty.
 * @returns uuids of the invoices that changed
 */
export async function drainSettlements(db: Database, coin: Coin, clock: Clock): Promise<string[]> {
  const changed: string[] = [];
  await deleteTasksWithoutInvoice(db.pool, coin);
  for (;;) {
    const ids = await selectQueuedInvoices(db.pool, coin, BATCH);
    if (ids.length === 0) return changed;
    const settlements: Settlement[] = [];
    for (const id of ids) {
      const settlement = await settleInvoice(db, id, clock);
      if (settlement) settlements.push(settlement);
    }
    await notifyChanges(db, settlements);
    changed.push(...settlements.filter((settlement) => settlement.changed).map((settlement) => settlement.uuid));
  }
}
