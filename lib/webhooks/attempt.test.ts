import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Attempt, judgeAttempt, nextDelayMs } from './attempt';

const now = new Date('2026-11-27T12:00:00Z');
const attempt = (changes: Partial<Attempt>): Attempt => ({
  startedAt: now,
  durationMs: 5,
  httpStatus: null,
  errorCode: null,
  response: null,
  retryAfterSeconds: null,
  ...changes,
});

test.each([200, 201, 204, 299])('%i delivers', (httpStatus) => {
  expect(judgeAttempt(attempt({ httpStatus }), 1, now, 0)).toEqual({ status: 'delivered' });
});

test.each([301, 302, 307, 400, 401, 404, 429, 500, 503])('[D1] %i is tried again after 5 seconds', (httpStatus) => {
  const nextAttemptAt = new Date('2026-11-27T12:00:05Z');
  expect(judgeAttempt(attempt({ httpStatus }), 1, now, 0)).toEqual({ status: 'pending', nextAttemptAt });
});

test('no answer is tried again', () => {
  expect(judgeAttempt(attempt({ errorCode: 'timeout' }), 2, now, 0)).toMatchObject({ status: 'pending' });
});

test('[D1] 410 ends it at once', () => {
  expect(judgeAttempt(attempt({ httpStatus: 410 }), 1, now, 0)).toEqual({ status: 'failed', gone: true });
});

test('the eleventh failure is the last', () => {
  expect(judgeAttempt(attempt({ httpStatus: 500 }), 10, now, 0).status).toBe('pending');
  expect(judgeAttempt(attempt({ httpStatus: 500 }), 11, now, 0)).toEqual({ status: 'failed', gone: false });
});

test('the schedule is the one that is promised: eleven attempts in a little more than three days', () => {
  const seconds = Array.from({ length: 11 }, (_, index) => nextDelayMs(index + 1, null, 0)).map(
    (ms) => ms && ms / 1000,
  );
  expect(seconds).toEqual([5, 60, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400, null]);
});

test('[D1] Retry-After defers the next attempt, never hastens it, and never by more than a day', () => {
  expect(nextDelayMs(1, 120, 0)).toBe(120_000);
  expect(nextDelayMs(3, 1, 0)).toBe(300_000);
  expect(nextDelayMs(1, 999_999_999, 0)).toBe(86_400_000);
  expect(nextDelayMs(11, 60, 0)).toBeNull();
});

test('jitter adds at most a tenth and takes nothing away', () => {
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10 }), random, (attempt, jitter) => {
      const base = nextDelayMs(attempt, null, 0) ?? 0;
      const delay = nextDelayMs(attempt, null, jitter) ?? 0;
      expect(delay).toBeGreaterThanOrEqual(base);
      expect(delay).toBeLessThanOrEqual(base * 1.1);
    }),
  );
});
