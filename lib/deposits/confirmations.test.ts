import { expect, test } from 'vitest';
import { confirmationsOf } from './confirmations';

const mined = { blockHeight: 100n, orphaned: false };

test('the block that holds a deposit is its first confirmation', () => {
  expect(confirmationsOf(mined, { height: 100n })).toBe(1);
  expect(confirmationsOf(mined, { height: 111n })).toBe(12);
});

test('a deposit outside the chain has none: not mined, orphaned, above the cursor, or no cursor', () => {
  expect(confirmationsOf({ blockHeight: null, orphaned: false }, { height: 100n })).toBe(0);
  expect(confirmationsOf({ ...mined, orphaned: true }, { height: 200n })).toBe(0);
  expect(confirmationsOf(mined, { height: 99n })).toBe(0);
  expect(confirmationsOf(mined, { height: null })).toBe(0);
});
