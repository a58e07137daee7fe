import { expect, test } from 'vitest';
import { confirmationsOf } from './confirmations';

const mined = { blockHeight: 100n, orphanedAt: null };

test('the block that holds a deposit is its first confirmation', () => {
  expect(confirmationsOf(mined, 100n)).toBe(1);
  expect(confirmationsOf(mined, 111n)).toBe(12);
});

test('a deposit outside the chain has none: not mined, orphaned, above the cursor, or no cursor', () => {
  expect(confirmationsOf({ blockHeight: null, orphanedAt: null }, 100n)).toBe(0);
  expect(confirmationsOf({ ...mined, orphanedAt: new Date() }, 200n)).toBe(0);
  expect(confirmationsOf(mined, 99n)).toBe(0);
  expect(confirmationsOf(mined, null)).toBe(0);
});
