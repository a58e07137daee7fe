import { createHash } from 'node:crypto';
import { RateLimiterPostgres, type RateLimiterRes } from 'rate-limiter-flexible';
import { type Database, driverTyped } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { processSingleton } from '@/lib/shared/process-singleton';

/** How often something may happen: at most `points` times in a window that starts with the first time. */
export interface RateLimit {
  name: string;
  points: number;
  windowSeconds: number;
}

/**
 * The limits of the public doors. The login ones count failures only: a right password takes its count back.
 * One person at one place guesses 10 times in 15 minutes; one account stands 100 guesses an hour from everywhere
 * (ASVS 5.0, 6.3.1); one place may try 300 accounts in 15 minutes.
 */
export const RATE_LIMITS = {
  loginByEmailAndAddress: { name: 'login-email-address', points: 10, windowSeconds: 15 * 60 },
  loginByEmail: { name: 'login-email', points: 100, windowSeconds: 3600 },
  loginByAddress: { name: 'login-address', points: 300, windowSeconds: 15 * 60 },
  registerByAddress: { name: 'register-address', points: 300, windowSeconds: 3600 },
  /** Each choice takes an address from the pool, each email is kept: a shop's customers behind one address need a few. */
  payByAddress: { name: 'pay-address', points: 120, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>;

/** One count against a limit. The key says whose count; only its hash is stored, because it may hold an email. */
export interface LimitUse {
  limit: RateLimit;
  key: string;
}

/**
 * Counts a request against its limits, in Postgres, so that several web processes share the counts. All limits are
 * counted even when one refuses. Writes the RateLimit headers (draft-ietf-httpapi-ratelimit-headers).
 * @throws {AppError} `too_many_requests` with the longest wait
 */
export async function consumeLimits(db: Database, uses: LimitUse[], headers: Headers): Promise<void> {
  const results = await Promise.all(uses.map((use) => consume(db, use)));
  headers.set('RateLimit-Policy', uses.map(({ limit }) => policy(limit)).join(', '));
  headers.set(
    'RateLimit',
    results.map(({ limit, left, resetSeconds }) => `"${limit.name}";r=${left};t=${resetSeconds}`).join(', '),
  );
  const exceeded = results.filter((result) => result.isExceeded);
  if (exceeded.length === 0) return;
  throw new AppError('too_many_requests', {
    retryAfterSeconds: Math.max(...exceeded.map(({ resetSeconds }) => resetSeconds)),
  });
}

/** Takes a count back, for limits that only count failures. */
export async function refundLimits(db: Database, uses: LimitUse[]): Promise<void> {
  await Promise.all(uses.map(({ limit, key }) => limiterOf(db, limit).reward(hash(key), 1)));
}

async function consume(db: Database, { limit, key }: LimitUse) {
  const outcome: unknown = await limiterOf(db, limit)
    .consume(hash(key))
    .catch((refusal: unknown) => refusal);
  if (!isResult(outcome)) throw outcome;
  return {
    limit,
    left: outcome.remainingPoints,
    resetSeconds: Math.max(1, Math.ceil(outcome.msBeforeNext / 1000)),
    isExceeded: outcome.consumedPoints > limit.points,
  };
}

/** By its fields: Next gives pages and API a copy of the class each, and they share the limiter of whoever came first. */
function isResult(outcome: unknown): outcome is RateLimiterRes {
  return typeof outcome === 'object' && outcome !== null && 'consumedPoints' in outcome && 'msBeforeNext' in outcome;
}

function policy({ name, points, windowSeconds }: RateLimit): string {
  return `"${name}";q=${points};w=${windowSeconds}`;
}

function limiterOf(db: Database, limit: RateLimit): RateLimiterPostgres {
  const limiters = processSingleton('rate-limiters', () => new WeakMap<Database, Map<string, RateLimiterPostgres>>());
  const ofDatabase = limiters.get(db) ?? new Map<string, RateLimiterPostgres>();
  limiters.set(db, ofDatabase);
  const limiter =
    ofDatabase.get(limit.name) ??
    new RateLimiterPostgres({
      storeClient: driverTyped(db),
      storeType: 'pool',
      tableName: 'rate_limit',
      tableCreated: true,
      keyPrefix: limit.name,
      points: limit.points,
      duration: limit.windowSeconds,
    });
  ofDatabase.set(limit.name, limiter);
  return limiter;
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
