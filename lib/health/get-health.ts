import type { CoinHealth, HealthView } from '@/lib/api-schema/health';
import { enabledCoins } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { MAX_RATE_AGE_SECONDS, WATCHER_STALE_SECONDS } from '@/lib/shared/limits';
import type { Clock } from '@/lib/shared/time';
import { type CoinFacts, selectCoinFacts } from './repository';

/** A node whose newest block is older than this hangs: the slowest chain makes one each 150 s on average. */
const NODE_LAGGING_SECONDS = 3600;

/** Can each enabled coin be sold and paid now, and can at least one? */
export async function getHealth(db: Database, clock: Clock): Promise<HealthView> {
  const now = clock();
  const coins = await Promise.all(
    enabledCoins().map(async (coin) =>
      coinHealth(coin, await selectCoinFacts(db.pool, coin, COIN_INFO[coin].family), now),
    ),
  );
  const payable = coins.filter((coin) => coin.payable).length;
  return { status: payable === 0 ? 'down' : payable === coins.length ? 'ok' : 'degraded', coins };
}

/** Pure: judges one coin's facts. */
export function coinHealth(coin: Coin, facts: CoinFacts, now: Date): CoinHealth {
  const age = (date: Date | null) => (date === null ? null : Math.max(0, (now.getTime() - date.getTime()) / 1000));
  const older = (date: Date | null, seconds: number) => (age(date) ?? Number.POSITIVE_INFINITY) > seconds;
  const problems = [
    ...(facts.height === null || older(facts.updatedAt, WATCHER_STALE_SECONDS) ? ['watcher_stale'] : []),
    ...(older(facts.blockTime, NODE_LAGGING_SECONDS) ? ['node_lagging'] : []),
    ...(facts.pausedReason === null ? [] : ['paused']),
    ...(older(facts.rateAt, MAX_RATE_AGE_SECONDS) ? ['rate_stale'] : []),
    ...(facts.freeAddresses === 0 ? ['pool_dry'] : []),
  ];
  return {
    coin,
    payable: problems.length === 0,
    problems,
    height: facts.height?.toString() ?? null,
    headHeight: facts.headHeight?.toString() ?? null,
    cursorAgeSeconds: age(facts.updatedAt),
    rateAgeSeconds: age(facts.rateAt),
    freeAddresses: facts.freeAddresses,
  };
}
