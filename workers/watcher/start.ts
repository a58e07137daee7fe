import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { configuredChain, requireChains } from '@/lib/config/chains';
import { databaseUrl } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { startDatabaseClock } from '@/lib/db/database-clock';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import type { Chain } from '@/lib/shared/chains';
import { runLoop } from '@/workers/runtime/run-loop';
import { Waker } from '@/workers/runtime/waker';
import type { RoleContext, WorkerContext } from '@/workers/runtime/worker-context';

/** Connections per chain: one for a commit, one for the lease's heartbeat. */
const CONNECTIONS_PER_CHAIN = 2;
/** Settling has connections of its own, so that reading never waits for one. */
const SETTLING_CONNECTIONS_PER_CHAIN = 1;
const SETTLE_INTERVAL_MS = 1_000;

interface Databases {
  reading: Database;
  settling: Database;
}

/**
 * Watches every enabled chain until the signal aborts; leases are given back then. Several watchers may run: one works per
 * chain, the others stand by. Each chain is read by one loop and its invoices settled by another, so that however many
 * settlements wait, the next block is read in time.
 * @throws Error when no chain has a node
 */
export async function startWatcher(role: RoleContext): Promise<void> {
  const chains = requireChains();
  const open = (perChain: number, applicationName: string) =>
    openDatabase(databaseUrl('watcher'), { max: chains.length * perChain, applicationName });
  const reading = open(CONNECTIONS_PER_CHAIN, 'incassa-watcher');
  const settling = open(SETTLING_CONNECTIONS_PER_CHAIN, 'incassa-settler');
  try {
    const context = { ...role, clock: await startDatabaseClock(reading, role) };
    await Promise.all(chains.map((chain) => watchChain({ reading, settling }, chain, context)));
  } finally {
    await Promise.all([closeDatabase(reading), closeDatabase(settling)]);
  }
}

async function watchChain(databases: Databases, chain: Chain, { signal, logger, clock }: WorkerContext): Promise<void> {
  const { settings, openReader } = configuredChain(chain);
  const { traits } = chainDefinition(chain);
  const reader = await openReader({ signal });
  const waker = new Waker();
  const drain = async () => waker.wake();
  const watcher = new ChainWatcher({ db: databases.reading, reader, settings, traits, drain, signal, clock, logger });
  // Settlements lock their invoices, so that any copy could settle; the one that reads does, and the others keep out of its way.
  const settle = async () => (watcher.isReading ? drainSettlements(databases.settling, chain, clock) : undefined);
  const loop = { signal, logger };
  await Promise.all([
    runLoop({ name: `watch-${chain}`, intervalMs: settings.pollMs, ...loop, task: () => watcher.tick() }),
    runLoop({ name: `settle-${chain}`, intervalMs: SETTLE_INTERVAL_MS, ...loop, waker, task: settle }),
  ]);
  await watcher.close().catch((error: unknown) => logger.warn({ chain, err: error }, 'lease not given back'));
}
