import { databaseUrl, directDatabaseUrl, env } from '@/lib/config/env';
import { CHANNELS } from '@/lib/db/channels';
import { closeDatabase, openDatabase } from '@/lib/db/database';
import { startDatabaseClock } from '@/lib/db/database-clock';
import { listen } from '@/lib/db/listen';
import { Waker } from '@/workers/runtime/waker';
import type { RoleContext } from '@/workers/runtime/worker-context';
import { createMetrics } from './metrics';
import { runDeliveries } from './run-deliveries';
import { runHousekeeping } from './run-housekeeping';
import { runMails } from './run-mails';
import { runPool } from './run-pool';
import { runReconciliation } from './run-reconciliation';
import { serveMetrics } from './serve-metrics';
import { runExpiries, runRates } from './timed-tasks';

const CONNECTIONS = 10;

/**
 * Runs what happens beside chains and requests: webhooks, mails, rates, expiries, the address pool, comparisons and housekeeping. Each is
 * a loop of its own; none can fail another. Resolves when the signal has aborted and all have ended.
 */
export async function startDispatcher(role: RoleContext): Promise<void> {
  const db = openDatabase(databaseUrl('dispatcher'), { max: CONNECTIONS, applicationName: 'incassa-dispatcher' });
  const wakers = { delivery: new Waker(), pool: new Waker() };
  const byChannel = new Map<string, Waker>([
    [CHANNELS.delivery, wakers.delivery],
    [CHANNELS.pool, wakers.pool],
  ]);
  const wake = (channel: string) => byChannel.get(channel)?.wake();
  const port = env().METRICS_PORT;
  try {
    const context = { ...role, clock: await startDatabaseClock(db, role) };
    await Promise.all([
      runDeliveries(db, context, wakers.delivery),
      runMails(db, context),
      runRates(db, context),
      runExpiries(db, context),
      runPool(db, context, wakers.pool),
      runHousekeeping(db, context),
      runReconciliation(db, context),
      ...(port === undefined ? [] : [serveMetrics(createMetrics(db, context.clock), port, context)]),
      listen(directDatabaseUrl('dispatcher'), [...byChannel.keys()], wake, context.signal, context.logger),
    ]);
  } finally {
    await closeDatabase(db);
  }
}
