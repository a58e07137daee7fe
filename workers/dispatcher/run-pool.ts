import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { replenishPool } from '@/lib/wallets/replenish-pool';
import { runLoop } from '@/workers/runtime/run-loop';
import type { Waker } from '@/workers/runtime/waker';
import type { WorkerContext } from '@/workers/runtime/worker-context';

const INTERVAL_MS = 1_000;

/** Keeps addresses ready, ahead of need. */
export async function runPool(db: Database, { signal, logger }: WorkerContext, waker: Waker): Promise<void> {
  const task = () => replenishPool(db, env().ADDRESS_POOL_TARGET);
  await runLoop({ name: 'pool', intervalMs: INTERVAL_MS, signal, logger, waker, task });
}
