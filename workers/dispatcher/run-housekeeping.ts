import { deleteOldKeyAudits } from '@/lib/api-keys/repository';
import { removeDeadSessions } from '@/lib/auth/sessions';
import { deleteOldOutages } from '@/lib/chain-sync/outage-repository';
import type { Database, Sql } from '@/lib/db/database';
import type { TrimmedTable } from '@/lib/db/tables';
import { eraseOldMails } from '@/lib/mail/repository';
import { deleteExpiredRateLimits } from '@/lib/security/repository';
import { KEPT_DAYS } from '@/lib/shared/limits';
import { addSeconds } from '@/lib/shared/time';
import { deleteOldDeliveries } from '@/lib/webhooks/repository';
import { runLoop } from '@/workers/runtime/run-loop';
import type { WorkerContext } from '@/workers/runtime/worker-context';

const DAY_SECONDS = 24 * 3600;
/** Rows per statement: short enough that nobody waits for its locks. */
const BATCH = 1_000;

/** Removes, or erases, up to `limit` rows that are over at `now`. @returns how many */
type Trim = (sql: Sql, now: Date, limit: number) => Promise<number>;

const daysBefore = (now: Date, days: number) => addSeconds(now, -days * DAY_SECONDS);

/** How every table that is trimmed is trimmed (lib/db/tables.ts says which and until when). */
const TRIMS: Record<TrimmedTable, Trim | 'with its delivery'> = {
  session: (sql, now, limit) => removeDeadSessions(sql, now, limit),
  rate_limit: (sql, _now, limit) => deleteExpiredRateLimits.count(sql, { limit }),
  api_key_audit: (sql, now, limit) =>
    deleteOldKeyAudits.count(sql, { before: daysBefore(now, KEPT_DAYS.keyAudits), limit }),
  webhook_delivery: (sql, now, limit) =>
    deleteOldDeliveries.count(sql, { before: daysBefore(now, KEPT_DAYS.webhookDeliveries), limit }),
  webhook_attempt: 'with its delivery',
  outgoing_mail: (sql, now, limit) =>
    eraseOldMails.count(sql, { before: daysBefore(now, KEPT_DAYS.mailContents), limit }),
  watcher_outage: (sql, now, limit) => deleteOldOutages(sql, { before: daysBefore(now, KEPT_DAYS.outages), limit }),
};

/** Removes, once a day, what means nothing any more and what was kept long enough. */
export async function runHousekeeping(db: Database, context: WorkerContext): Promise<void> {
  const task = async () => context.logger.info(await tidyUp(db, context), 'housekeeping done');
  const { signal, logger } = context;
  await runLoop({ name: 'housekeeping', intervalMs: DAY_SECONDS * 1000, signal, logger, task });
}

/**
 * Does it once; a stop ends it between two statements.
 * @returns how many rows of each table were removed, or erased
 */
export async function tidyUp(
  db: Pick<Database, 'pool'>,
  { clock, signal }: Pick<WorkerContext, 'clock' | 'signal'>,
): Promise<Partial<Record<TrimmedTable, number>>> {
  const now = clock();
  const counts: Partial<Record<TrimmedTable, number>> = {};
  for (const [table, trim] of Object.entries(TRIMS) as [TrimmedTable, Trim | string][]) {
    if (typeof trim === 'string') continue;
    let all = 0;
    for (let count = BATCH; count >= BATCH && !signal.aborted; all += count) count = await trim(db.pool, now, BATCH);
    counts[table] = all;
  }
  return counts;
}
