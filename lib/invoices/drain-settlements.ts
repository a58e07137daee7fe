import type { Database } from '@/lib/db/database';
import { deleteTasksWithoutInvoice } from '@/lib/deposits/queue-repository';
import type { Chain } from '@/lib/shared/chains';
import type { Clock } from '@/lib/shared/time';
import { type DueInvoice, selectQueued } from './due-repository';
import { type Outcome, SET_SIZE, settleIsolated } from './settle-isolated';

/** The queue is read so many invoices at a time: each reading groups all tasks. */
const PAGE = 10 * SET_SIZE;

/**
 * Settles every invoice on a chain that has a settlement task, in sets, until the queue is empty. Sets leave out what somebody
 * else settles at the moment; those are waited for in the end, one by one. An invoice that cannot be settled keeps its task,
 * holds up no other, and is tried again after a wait that grows (`settleIsolated`).
 * @returns uuids of the invoices that changed
 * @throws AggregateError after all others are settled, with the reason of each that began to fail now: told once, not with
 * every further try
 */
export async function drainSettlements(db: Database, chain: Chain, clock: Clock): Promise<string[]> {
  const changed: string[] = [];
  const failures = new Map<number, unknown>();
  const held = new Map<number, DueInvoice>();
  const note = (outcome: Outcome) => {
    changed.push(...outcome.settlements.filter((settlement) => settlement.changed).map(({ uuid }) => uuid));
    for (const [id, reason] of outcome.failures) failures.set(id, reason);
  };
  await deleteTasksWithoutInvoice(db.pool, chain);
  for (;;) {
    const due = await selectQueued(db.pool, chain, { except: [...held.keys()], limit: PAGE });
    if (due.length === 0) break;
    for (let from = 0; from < due.length; from += SET_SIZE) {
      const set = due.slice(from, from + SET_SIZE);
      const outcome = await settleIsolated(db, set, clock, { answersTasks: true, skipLocked: true });
      note(outcome);
      for (const invoice of set) if (outcome.skipped.includes(invoice.id)) held.set(invoice.id, invoice);
    }
  }
  for (const invoice of held.values()) note(await settleIsolated(db, [invoice], clock, { answersTasks: true }));
  if (failures.size === 0) return changed;
  throw new AggregateError(failures.values(), `Invoices not settled: ${[...failures.keys()].join(', ')}.`);
}
