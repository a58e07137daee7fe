import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { AppError } from '@/lib/shared/errors';
import { consumeLimits, type LimitContext, type RateLimit, refundLimits } from './rate-limit';

/** Counted in memory alone: the database is nobody's. */
function context(startMs = 0) {
  let nowMs = startMs;
  const made: LimitContext = {
    get db(): never {
      throw new Error('The database was touched.');
    },
    nowMs: () => nowMs,
  };
  return {
    made,
    wait: (ms: number) => {
      nowMs += ms;
    },
  };
}

const limit = (points: number, rest: Partial<RateLimit> = {}): RateLimit => ({
  name: randomUUID(),
  points,
  windowSeconds: 60,
  kept: 'memory',
  ...rest,
});

async function outcome(made: LimitContext, uses: Parameters<typeof consumeLimits>[1]) {
  const headers = new Headers();
  const error = await consumeLimits(made, uses, headers).then(
    () => null,
    (thrown: unknown) => thrown as AppError,
  );
  return { error, headers };
}

describe('consumeLimits', () => {
  it('stops at the first limit that refuses, and counts a refused request nowhere', async () => {
    const { made, wait } = context();
    const [address, account] = [limit(2), limit(3)];
    const from = (one: string) => [
      { limit: address, key: one },
      { limit: account, key: 'a' },
    ];
    for (let n = 0; n < 2; n++) expect((await outcome(made, from('x'))).error).toBeNull();
    for (let n = 0; n < 50; n++) expect((await outcome(made, from('x'))).error?.code).toBe('too_many_requests');
    expect((await outcome(made, from('y'))).error).toBeNull();
    // The account is full now, which costs the address nothing.
    for (let n = 0; n < 50; n++) expect((await outcome(made, from('z'))).error?.retryAfterSeconds).toBe(60);
    wait(60_000);
    expect((await outcome(made, from('z'))).error).toBeNull();
  });

  it('says how long: the longest wait of the limits that are full', async () => {
    const { made, wait } = context();
    const uses = [
      { limit: limit(1), key: 'a' },
      { limit: limit(1, { windowSeconds: 900 }), key: 'a' },
    ];
    await outcome(made, uses);
    wait(10_500);
    expect((await outcome(made, uses)).error?.retryAfterSeconds).toBe(890);
  });

  it('shows a caller its own counts, and of the others only the one that refused', async () => {
    const { made } = context();
    const [own, all] = [limit(5, { name: 'own' }), limit(1, { name: 'all', isHidden: true })];
    const uses = [
      { limit: own, key: 'a' },
      { limit: all, key: '' },
    ];
    const good = await outcome(made, uses);
    expect(good.headers.get('ratelimit')).toBe('"own";r=4;t=60');
    expect(good.headers.get('ratelimit-policy')).toBe('"own";q=5;w=60');
    const refused = await outcome(made, uses);
    expect(refused.headers.get('ratelimit')).toBe('"all";r=0;t=60');
  });

  it('takes failures back and nothing else', async () => {
    const { made } = context();
    const uses = [
      { limit: limit(1, { countsFailures: true }), key: 'a' },
      { limit: limit(3), key: 'a' },
    ];
    for (let n = 0; n < 3; n++) {
      expect((await outcome(made, uses)).error).toBeNull();
      await refundLimits(made, uses);
    }
    expect((await outcome(made, uses)).error?.code).toBe('too_many_requests');
  });
});
