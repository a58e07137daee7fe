import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nextDelayMs } from './retry-schedule';

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
