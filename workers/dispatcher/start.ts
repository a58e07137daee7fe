import { databaseUrl, directDatabaseUrl } from '@/lib/config/env';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { listen } from '@/lib/db/listen';
import { Waker } from '@/workers/runtime/waker';
import type { WorkerContext } from '@/workers/runtime/worker-context';
import { runDeliveries } from './run-deliveries';
import { runExpiries } from './run-expiries';
import { runHousekeeping } from './run-housekeeping';
import { runMails } from './run-mails';
import { runPool } from './run-pool';
import { runRates } from './run-rates';

const CONNECTIONS = 10;

/**
 * Runs what happens beside chains and requests: webhooks, mails, rates, expiries, the address pool and housekeeping. Each is
 * a loop of its own; none can fail another. Resolves when the signal has aborted and all have ended.
 */
export async function startDispatcher(context: WorkerContext): Promise<void> {
  const db = openDatabase(databaseUrl('dispatcher'), { max: CONNECTIONS, applicationName: 'incassa-dispatcher' });
  const wakers = { incassa_delivery: new Waker(), incassa_pool: new Waker() };
  const wake = (channel: string) => wakers[channel as keyof typeof wakers]?.wake();
  try {
    await Promise.all([
      runDeliveries(db, context, wakers.incassa_delivery),
      runMails(db, context),
      runRates(db, context),
      runExpiries(db, context),
      runPool(db, context, wakers.incassa_pool),
      runHousekeeping(db, context),
      listen(directDatabaseUrl('dispatcher'), Object.keys(wakers), wake, context.signal, context.logger),
    ]);
  } finally {
    await closeDatabase(db);
  }
}
