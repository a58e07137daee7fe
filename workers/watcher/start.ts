import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { coinSettings } from '@/lib/chains/coin-settings';
import { chainAdapter, enabledCoins } from '@/lib/chains/registry';
import { databaseUrl } from '@/lib/config/env';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import type { Coin } from '@/lib/shared/coins';
import { runLoop } from '@/workers/runtime/run-loop';
import type { WorkerContext } from '@/workers/runtime/worker-context';

/** Connections per coin: one for a commit or a settlement, one for the lease's heartbeat. */
const CONNECTIONS_PER_COIN = 2;

/**
 * Watches every enabled coin until the signal aborts; leases are given back then. Several watchers may run: one works per
 * coin, the others stand by.
 * @throws Error when no coin has a node
 */
export async function startWatcher(context: WorkerContext): Promise<void> {
  const coins = enabledCoins();
  if (coins.length === 0) throw new Error('Bad configuration: ETH_RPC_URL is required, there is no coin to watch.');
  const max = coins.length * CONNECTIONS_PER_COIN;
  const db = openDatabase(databaseUrl('watcher'), { max, applicationName: 'incassa-watcher' });
  try {
    await Promise.all(coins.map((coin) => watchCoin(db, coin, context)));
  } finally {
    await closeDatabase(db);
  }
}

async function watchCoin(db: Database, coin: Coin, { signal, logger, clock }: WorkerContext): Promise<void> {
  const settings = coinSettings(coin);
  if (!settings) return;
  const adapter = await chainAdapter(coin, { signal });
  const drain = (drained: Coin) => drainSettlements(db, drained, clock);
  const watcher = new ChainWatcher({ db, adapter, settings, drain, signal, clock, logger });
  await runLoop({ name: `watch-${coin}`, intervalMs: settings.pollMs, signal, logger, task: () => watcher.tick() });
  await watcher.close().catch((error: unknown) => logger.warn({ coin, err: error }, 'lease not given back'));
}
