import { deleteExpiredSessions } from '@/lib/auth/delete-expired-sessions';
import type { Database } from '@/lib/db/database';
import { deleteExpiredRateLimits } from '@/lib/security/delete-expired-rate-limits';
import { runLoop } from '@/workers/runtime/run-loop';
import type { WorkerContext } from '@/workers/runtime/worker-context';

const DAY_MS = 24 * 3600 * 1000;

/** Removes, once a day, rows that mean nothing any more. */
export async function runHousekeeping(db: Database, { signal, logger, clock }: WorkerContext): Promise<void> {
  const task = async () => {
    const sessions = await deleteExpiredSessions(db.pool, clock());
    const counters = await deleteExpiredRateLimits(db.pool, clock());
    logger.info({ sessions, counters }, 'housekeeping done');
  };
  await runLoop({ name: 'housekeeping', intervalMs: DAY_MS, signal, logger, task });
}
