import type { Database } from '@/lib/db/database';
import { isConnectionLost } from '@/lib/db/database-down';
import type { Clock } from '@/lib/shared/time';
import { type DueInvoice, forgetFailures, noteFailure } from './due-repository';
import { type Manner, notifyChanges, type Settlement, settleSet } from './settle-invoice';

/** So many invoices are locked and committed together: more gain nothing, and let a page that asks for one of them wait. */
export const SET_SIZE = 100;

/** Waits after the first, second, … failure of an invoice in a row; the last one for all further. */
const WAIT_SECONDS = [1, 5, 30, 300] as const;
const LONGEST_WAIT_SECONDS = 3_600;

/** How long an invoice is left alone after its settlement failed. @param failures in a row, from 1 @returns seconds */
export function failureWaitSeconds(failures: number): number {
  return WAIT_SECONDS[failures - 1] ?? LONGEST_WAIT_SECONDS;
}

/** What became of a set. */
export interface Outcome {
  settlements: Settlement[];
  /** Left out, because somebody else held them or because they are no more. */
  skipped: number[];
  /** Why invoices failed that had not failed before: the operator is told once. */
  failures: Map<number, unknown>;
}

/**
 * Settles a set of at most `SET_SIZE` so that one bad invoice holds up no other: when the set fails, each is settled alone. One
 * that fails alone is left alone for a while, longer each time, and is forgotten as a failure when it can be settled again. Pages
 * and the dispatcher are woken after each commit.
 * @throws when the database is lost: that is no invoice's fault
 */
export async function settleIsolated(
  db: Pick<Database, 'pool'>,
  due: readonly DueInvoice[],
  clock: Clock,
  manner: Pick<Manner, 'answersTasks' | 'skipLocked'>,
): Promise<Outcome> {
  const outcome: Outcome = { settlements: [], skipped: [], failures: new Map() };
  if (due.length === 0) return outcome;
  try {
    await settleAll(db, due, clock, { manner, outcome });
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    for (const invoice of due) await settleAlone(db, invoice, clock, { manner, outcome });
  }
  return outcome;
}

interface Run {
  manner: Pick<Manner, 'answersTasks' | 'skipLocked'>;
  outcome: Outcome;
}

async function settleAll(
  db: Pick<Database, 'pool'>,
  due: readonly DueInvoice[],
  clock: Clock,
  { manner, outcome }: Run,
): Promise<void> {
  const ids = due.map(({ id }) => id);
  const settlements = await settleSet(db, ids, clock, manner);
  const settled = new Set(settlements.map(({ id }) => id));
  const recovered = due.filter(({ id, failures }) => failures > 0 && settled.has(id));
  if (recovered.length > 0)
    await forgetFailures(
      db.pool,
      recovered.map(({ id }) => id),
    );
  await notifyChanges(db, settlements);
  outcome.settlements.push(...settlements);
  outcome.skipped.push(...ids.filter((id) => !settled.has(id)));
}

async function settleAlone(db: Pick<Database, 'pool'>, invoice: DueInvoice, clock: Clock, run: Run): Promise<void> {
  try {
    await settleAll(db, [invoice], clock, run);
  } catch (error) {
    if (isConnectionLost(error)) throw error;
    await noteFailure(db.pool, invoice.id, failureWaitSeconds(invoice.failures + 1));
    if (invoice.failures === 0) run.outcome.failures.set(invoice.id, error);
  }
}
