import { setTimeout as sleep } from 'node:timers/promises';
import type { CoinHealth, HealthView } from '@/lib/api-schema/health';
import { liveSince } from '@/lib/chain-sync/progress';
import { addressSourceOf, chainDefinition } from '@/lib/chains/registry';
import { enabledCoins } from '@/lib/config/chains';
import type { Database } from '@/lib/db/database';
import { isDatabaseDown } from '@/lib/db/database-down';
import { isAhead } from '@/lib/rates/decide-rate';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { MAX_RATE_AGE_SECONDS, WATCHER_STALE_SECONDS } from '@/lib/shared/limits';
import type { Clock } from '@/lib/shared/time';
import { type CoinFacts, selectCoinFacts } from './repository';

/** Whoever asks decides by the answer, and takes none for a worse one: load balancers wait two seconds. */
const ANSWER_MS = 1_200;

/** Can each enabled coin be sold and paid now, and can at least one? A database that does not answer in 1.2 s is a no. */
export async function getHealth(db: Database, clock: Clock): Promise<HealthView> {
  const coins = await Promise.all(
    enabledCoins().map(async (coin) => {
      const { stalledAfterSeconds } = chainDefinition(COIN_INFO[coin].chain).traits;
      const facts = await inTime(selectCoinFacts(db.pool, coin, addressSourceOf(coin)));
      return facts === null ? unknownHealth(coin) : coinHealth(coin, facts, stalledAfterSeconds, clock());
    }),
  );
  const payable = coins.filter((coin) => coin.payable).length;
  return { status: payable === 0 ? 'down' : payable === coins.length ? 'ok' : 'degraded', coins };
}

/** @returns null when the database is down, or slower than anybody waits */
async function inTime(read: Promise<CoinFacts>): Promise<CoinFacts | null> {
  const given = new AbortController();
  const late = sleep(ANSWER_MS, null, { signal: given.signal }).catch(() => null);
  try {
    return await Promise.race([read, late]);
  } catch (error) {
    if (!isDatabaseDown(error)) throw error;
    return null;
  } finally {
    given.abort();
  }
}

function unknownHealth(coin: Coin): CoinHealth {
  const ages = { cursorAgeSeconds: null, oldestUnreadSeconds: null, rateAgeSeconds: null };
  return {
    coin,
    payable: false,
    problems: ['database_down'],
    height: null,
    headHeight: null,
    ...ages,
    freeAddresses: 0,
  };
}

/** Judges one coin's facts. @param stalledAfterSeconds a newest block that is older says that the node hangs */
function coinHealth(coin: Coin, facts: CoinFacts, stalledAfterSeconds: number, now: Date): CoinHealth {
  const age = (date: Date | null) => (date === null ? null : Math.max(0, (now.getTime() - date.getTime()) / 1000));
  const older = (date: Date | null, seconds: number) => (age(date) ?? Number.POSITIVE_INFINITY) > seconds;
  const isFollowed = facts.height !== null && facts.updatedAt !== null && facts.updatedAt > liveSince(now);
  /** Why the chain is not followed: nobody looks, the node hangs, or its blocks cannot be read. */
  const lostTo = ({ height, lookedAt, headTime }: CoinFacts) => {
    if (height === null || older(lookedAt, WATCHER_STALE_SECONDS)) return 'watcher_stale';
    return older(headTime, stalledAfterSeconds) ? 'node_lagging' : 'blocks_unread';
  };
  const problems = [
    ...(isFollowed ? [] : [lostTo(facts)]),
    ...(facts.pausedReason === null ? [] : ['paused']),
    ...(older(facts.rateAt, MAX_RATE_AGE_SECONDS) || isAhead(facts.rateAt ?? now, now) ? ['rate_stale'] : []),
    ...(facts.isRateInDoubt ? ['rate_in_doubt'] : []),
    ...(facts.freeAddresses === 0 ? ['pool_dry'] : []),
  ];
  return {
    coin,
    payable: problems.length === 0,
    problems,
    height: facts.height?.toString() ?? null,
    headHeight: facts.headHeight?.toString() ?? null,
    cursorAgeSeconds: age(facts.lookedAt),
    oldestUnreadSeconds: age(facts.unreadSince),
    rateAgeSeconds: age(facts.rateAt),
    freeAddresses: facts.freeAddresses,
  };
}
