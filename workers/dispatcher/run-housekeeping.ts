import { removeDeadSessions } from '@/lib/auth/sessions';
import type { Database } from '@/lib/db/database';
import type { Statement } from '@/lib/db/statement';
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

/** Removes, once a day, what means nothing any more and what was kept long enough. */
export async function runHousekeeping(db: Database, context: WorkerContext): Promise<void> {
  const task = async () => context.logger.info(await tidyUp(db, context), 'housekeeping done');
  const { signal, logger } = context;
  await runLoop({ name: 'housekeeping', intervalMs: DAY_SECONDS * 1000, signal, logger, task });
}

/**
 * Does it once; a stop ends it between two statements.
 * @returns how many rows of each kind were removed, or erased
 */
export async function tidyUp(
  db: Pick<Database, 'pool'>,
  { clock, signal }: Pick<WorkerContext, 'clock' | 'signal'>,
): Promise<Record<'sessions' | 'counters' | 'deliveries' | 'mails', number>> {
  const now = clock();
  const inBatches = async (old: Statement<{ before: Date; limit: number }, never>, days: number) => {
    const before = addSeconds(now, -days * DAY_SECONDS);
    let all = 0;
    for (let count = BATCH; count === BATCH && !signal.aborted; all += count)
      count = await old.count(db.pool, { before, limit: BATCH });
    return all;
  };
  return {
    sessions: await removeDeadSessions(db, now),
    counters: await deleteExpiredRateLimits.count(db.pool, {}),
    deliveries: await inBatches(deleteOldDeliveries, KEPT_DAYS.webhookDeliveries),
    mails: await inBatches(eraseOldMails, KEPT_DAYS.mailContents),
  };
}
