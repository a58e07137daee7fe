import type { Database } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { AppError } from '@/lib/shared/errors';
import { MAX_RATE_AGE_SECONDS, MAX_SHOWN_RATE_AGE_SECONDS } from '@/lib/shared/limits';
import type { Clock } from '@/lib/shared/time';
import { isAhead, type KnownRate } from './decide-rate';
import { findRate, type StoredRate } from './repository';

/** So long a rate is not read again: the hot path of invoice creation then costs no query for it. */
const CACHE_MS = 1_000;
const RETRY_AFTER_SECONDS = 30;

interface Cached {
  readAt: number;
  rate: Promise<KnownRate | null>;
}

const caches = new WeakMap<Database['pool'], Map<Coin, Cached>>();

/**
 * The rate to price an invoice with.
 * @returns EUR per whole coin as a decimal text, and when the venues agreed on it
 * @throws AppError rate_unavailable when the coin has none, or none younger than 5 minutes, or the venues contradict it
 */
export async function getRate(db: Pick<Database, 'pool'>, coin: Coin, clock: Clock): Promise<StoredRate> {
  const rate = await youngerThan(MAX_RATE_AGE_SECONDS, db, coin, clock);
  if (!rate) throw new AppError('rate_unavailable', { retryAfterSeconds: RETRY_AFTER_SECONDS });
  return rate;
}

/**
 * The rate to show a value with, never to price with.
 * @returns null when there is none younger than 10 minutes that nobody contradicts: the value is then not known, not zero
 */
export function getDisplayRate(db: Pick<Database, 'pool'>, coin: Coin, clock: Clock): Promise<StoredRate | null> {
  return youngerThan(MAX_SHOWN_RATE_AGE_SECONDS, db, coin, clock);
}

async function youngerThan(
  seconds: number,
  db: Pick<Database, 'pool'>,
  coin: Coin,
  clock: Clock,
): Promise<StoredRate | null> {
  const known = await currentRate(db, coin, clock);
  const now = clock();
  if (!known || known.doubt || isAhead(known.fetchedAt, now)) return null;
  const { rate, fetchedAt } = known;
  return now.getTime() - fetchedAt.getTime() <= seconds * 1000 ? { rate, fetchedAt } : null;
}

/** The stored rate as it was at most a second ago, of whatever age. Only a rate that was found is kept. */
function currentRate(db: Pick<Database, 'pool'>, coin: Coin, clock: Clock): Promise<KnownRate | null> {
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
