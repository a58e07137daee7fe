import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import type { Clock } from '@/lib/shared/time';
import { findRate, type StoredRate } from './repository';

/** So long a rate is not read again: the hot path of invoice creation then costs no query for it. */
const CACHE_MS = 1_000;

interface Cached {
  readAt: number;
  rate: Promise<StoredRate | null>;
}

const caches = new WeakMap<Database['pool'], Map<Coin, Cached>>();

/**
 * The stored rate of a coin as it was at most a second ago, of whatever age; null when there never was one. Callers judge
 * its age. Only a rate that was found is kept.
 */
export function currentRate(db: Pick<Database, 'pool'>, coin: Coin, clock: Clock): Promise<StoredRate | null> {
  const cache = caches.get(db.pool) ?? new Map<Coin, Cached>();
  caches.set(db.pool, cache);
  const now = clock().getTime();
  const cached = cache.get(coin);
  if (cached && Math.abs(now - cached.readAt) < CACHE_MS) return cached.rate;
  const rate = findRate(db.pool, coin);
  const entry: Cached = { readAt: now, rate };
  cache.set(coin, entry);
  const forget = () => {
    if (cache.get(coin) === entry) cache.delete(coin);
  };
  rate.then((found) => found ?? forget(), forget);
  return rate;
}
