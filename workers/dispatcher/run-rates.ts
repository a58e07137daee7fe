import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { refreshRates } from '@/lib/rates/refresh-rates';
import { configuredVenues } from '@/lib/rates/venues/configured-venues';
import { runLoop } from '@/workers/runtime/run-loop';
import type { WorkerContext } from '@/workers/runtime/worker-context';

/** Keeps the rates fresh. */
export async function runRates(db: Database, { signal, logger, clock }: WorkerContext): Promise<void> {
  const venues = configuredVenues();
  const task = () => refreshRates(db, { venues, clock, logger, signal });
  await runLoop({ name: 'rates', intervalMs: env().RATE_REFRESH_MS, signal, logger, task });
}
