import { createHash } from 'node:crypto';
import type { Database } from '@/lib/db/database';
import { countInDatabase, takeBackInDatabase } from '@/lib/security/repository';
import { AppError } from '@/lib/shared/errors';
import { processSingleton } from '@/lib/shared/process-singleton';
import { MemoryWindows, type Standing } from './memory-windows';

/** How often something may happen: at most `points` times in a window that starts with the first time. */
export interface RateLimit {
  name: string;
  points: number;
  windowSeconds: number;
  /**
   * `memory`: by this process alone, for free. `database` (when left out): in Postgres, which all web processes share.
   * Keys that anybody can make without end (addresses, ids of others) are counted in memory only.
   */
  kept?: 'memory' | 'database';
  /** A good answer takes its count back, and so does a fault of ours. */
  countsFailures?: boolean;
  /** Not a caller's own count, or none of its business: not shown to one whom it lets through. */
  isHidden?: boolean;
}

/** One count against a limit. The key says whose count; only its hash is stored, because it may hold an email. */
export interface LimitUse {
  limit: RateLimit;
  key: string;
}

/** The database is touched only where a limit is kept there, and counts by its own time. */
export interface LimitContext {
  readonly db: Database;
  /** Milliseconds by a clock that nobody sets, for the windows that this process keeps; its own when left out. */
  nowMs?: () => number;
}

/** Most keys per limit that a process remembers: about 10 MB when all limits are full. */
const MAX_KEYS = 10_000;

interface Count extends Standing {
  limit: RateLimit;
}

/**
 * Counts a request against its limits in the order given, up to the first that refuses. What this process already knows to
 * be refused is refused before anything is counted: hammering costs no statement and stores nothing. Writes the RateLimit
 * headers (draft-ietf-httpapi-ratelimit-headers), adding to those that are there.
 * @throws {AppError} `too_many_requests` with the wait of the limit that refused, the longest of those known to be full
 */
export async function consumeLimits(context: LimitContext, uses: readonly LimitUse[], headers: Headers): Promise<void> {
  const full = uses.map((use) => peek(use, nowOf(context))).filter((count) => count !== null);
  const [longest] = full.sort((one, other) => other.endsAtMs - one.endsAtMs);
  if (longest) refuse(longest, nowOf(context), headers);
  for (const use of uses) {
    const count = await consume(context, use);
    const nowMs = nowOf(context);
    if (count.used > use.limit.points) refuse(count, nowMs, headers);
    if (!use.limit.isHidden) show(count, nowMs, headers);
  }
}

/** Takes back what counts failures only, after a good answer or a fault of ours. */
export async function refundLimits(context: LimitContext, uses: readonly LimitUse[]): Promise<void> {
  const failures = uses.filter(({ limit }) => limit.countsFailures);
  await Promise.all(
    failures.map(async ({ limit, key }) => {
      if (limit.kept === 'memory') return void windowsOf(limit).add(hash(key), -1, nowOf(context));
      await takeBackInDatabase.count(context.db.pool, { key: rowOf(limit, key) });
      windowsOf(limit).delete(hash(key));
    }),
  );
}

/** The count when it is known to be full, or null: in memory, or as Postgres was seen to have it. */
function peek({ limit, key }: LimitUse, nowMs: number): Count | null {
  const known = windowsOf(limit).peek(hash(key), nowMs);
  return known && known.used >= limit.points ? { limit, ...known } : null;
}

async function consume(context: LimitContext, { limit, key }: LimitUse): Promise<Count> {
  if (limit.kept === 'memory') return { limit, ...windowsOf(limit).add(hash(key), 1, nowOf(context)) };
  const windowMs = limit.windowSeconds * 1000;
  const counted = await countInDatabase.one(context.db.pool, { key: rowOf(limit, key), windowMs });
  const nowMs = nowOf(context);
  const standing = { used: counted.points, endsAtMs: nowMs + Number(counted.msLeft) };
  if (standing.used >= limit.points) windowsOf(limit).set(hash(key), standing, nowMs);
  return { limit, ...standing };
}

function refuse(count: Count, nowMs: number, headers: Headers): never {
  show(count, nowMs, headers);
  throw new AppError('too_many_requests', { retryAfterSeconds: secondsLeft(count, nowMs) });
}

function show(count: Count, nowMs: number, headers: Headers): void {
  const { name, points, windowSeconds } = count.limit;
  headers.append('RateLimit-Policy', `"${name}";q=${points};w=${windowSeconds}`);
  headers.append('RateLimit', `"${name}";r=${Math.max(0, points - count.used)};t=${secondsLeft(count, nowMs)}`);
}

function secondsLeft({ endsAtMs }: Count, nowMs: number): number {
  return Math.max(1, Math.ceil((endsAtMs - nowMs) / 1000));
}

/** What this process knows of a limit: all counts of one kept in memory, the full ones of one kept in Postgres. */
function windowsOf({ name, windowSeconds }: RateLimit): MemoryWindows {
  const byName = processSingleton('rate-windows', () => new Map<string, MemoryWindows>());
  const windows = byName.get(name) ?? new MemoryWindows(windowSeconds * 1000, MAX_KEYS);
  byName.set(name, windows);
  return windows;
}

function nowOf({ nowMs }: LimitContext): number {
  return nowMs ? nowMs() : performance.now();
}

function rowOf({ name }: RateLimit, key: string): string {
  return `${name}:${hash(key)}`;
}

function hash(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}
