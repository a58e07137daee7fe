import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backoffMs } from './backoff';

test('a backoff doubles from the first second up to its cap', () => {
  expect([1, 2, 3, 4].map((failures) => backoffMs(failures, 30_000, 1))).toEqual([1000, 2000, 4000, 8000]);
  expect(backoffMs(100, 30_000, 1)).toBe(30_000);
});

test('a backoff is always above zero, at most a minute, and never shrinks with more faults', () => {
  const interval = fc.integer({ min: 50, max: 86_400_000 });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 10_000 }),
      interval,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (n, ms, r) => {
        const wait = backoffMs(n, ms, r);
        expect(wait).toBeGreaterThan(0);
        expect(wait).toBeLessThanOrEqual(60_000);
        expect(backoffMs(n + 1, ms, r)).toBeGreaterThanOrEqual(wait);
      },
    ),
  );
});
