import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { configuredChain, requireChains } from '@/lib/config/chains';
import { databaseUrl } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { startDatabaseClock } from '@/lib/db/database-clock';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import type { Chain } from '@/lib/shared/chains';
import { runLoop } from '@/workers/runtime/run-loop';
import type { RoleContext, WorkerContext } from '@/workers/runtime/worker-context';

/** Connections per chain: one for a commit or a settlement, one for the lease's heartbeat. */
const CONNECTIONS_PER_CHAIN = 2;

/**
 * Watches every enabled chain until the signal aborts; leases are given back then. Several watchers may run: one works per
 * chain, the others stand by.
 * @throws Error when no chain has a node
 */
export async function startWatcher(role: RoleContext): Promise<void> {
  const chains = requireChains();
  const max = chains.length * CONNECTIONS_PER_CHAIN;
  const db = openDatabase(databaseUrl('watcher'), { max, applicationName: 'incassa-watcher' });
  try {
    const context = { ...role, clock: await startDatabaseClock(db, role) };
    await Promise.all(chains.map((chain) => watchChain(db, chain, context)));
  } finally {
    await closeDatabase(db);
  }
}

async function watchChain(db: Database, chain: Chain, { signal, logger, clock }: WorkerContext): Promise<void> {
  const { settings, openReader } = configuredChain(chain);
  const { traits } = chainDefinition(chain);
  const reader = await openReader({ signal });
  const drain = (drained: Chain) => drainSettlements(db, drained, clock);
  const watcher = new ChainWatcher({ db, reader, settings, traits, drain, signal, clock, logger });
  await runLoop({ name: `watch-${chain}`, intervalMs: settings.pollMs, signal, logger, task: () => watcher.tick() });
  await watcher.close().catch((error: unknown) => logger.warn({ chain, err: error }, 'lease not given back'));
}
