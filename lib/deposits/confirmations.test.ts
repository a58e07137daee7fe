import { expect, test } from 'vitest';
import { confirmationsInSql, confirmationsOf, confirmedInSql, isConfirmed, readOf } from './confirmations';

const mined = { blockHeight: 100n, orphaned: false };

test('the block that holds a deposit is its first confirmation', () => {
  expect(confirmationsOf(mined, { height: 100n })).toBe(1);
  expect(confirmationsOf(mined, { height: 111n })).toBe(12);
});

test('a deposit outside the chain has none: not mined, orphaned, above the cursor, or no cursor', () => {
  expect(confirmationsOf({ blockHeight: null, orphaned: false }, { height: 100n })).toBe(0);
  expect(confirmationsOf({ ...mined, orphaned: true }, { height: 200n })).toBe(0);
  for (const height of [99n, 98n, 1n]) expect(confirmationsOf(mined, { height })).toBe(0);
  expect(confirmationsOf(mined, { height: null })).toBe(0);
});

const read = { height: 110n, confirmedHeight: 105n };
const deposit = { blockHeight: 105n, orphaned: false, extraConfirmations: 0 };

test('a deposit counts from the block on up to which its chain counts', () => {
  expect(isConfirmed(deposit, read)).toBe(true);
  expect(isConfirmed({ ...deposit, blockHeight: 106n }, read)).toBe(false);
  expect(isConfirmed(deposit, { ...read, confirmedHeight: null })).toBe(false);
  expect(isConfirmed({ ...deposit, blockHeight: 0n }, { height: 0n, confirmedHeight: 0n })).toBe(true);
  expect(isConfirmed({ ...deposit, blockHeight: 0n }, { height: 0n, confirmedHeight: null })).toBe(false);
});

test('a deposit that needs more of its own counts with the last of them, and not before', () => {
  expect(isConfirmed({ ...deposit, extraConfirmations: 6 }, read)).toBe(true);
  expect(isConfirmed({ ...deposit, extraConfirmations: 7 }, read)).toBe(false);
});

test('a deposit that is in no block, orphaned or not reached does not count, whatever the chain says', () => {
  expect(isConfirmed({ ...deposit, blockHeight: null }, read)).toBe(false);
  expect(isConfirmed({ ...deposit, orphaned: true }, read)).toBe(false);
  expect(isConfirmed(deposit, { height: 104n, confirmedHeight: 105n })).toBe(false);
  expect(isConfirmed(deposit, { height: null, confirmedHeight: 105n })).toBe(false);
});

test('the same in SQL names the deposit and the cursor', () => {
  expect(readOf('c')).toEqual({ height: 'c.height', confirmedHeight: 'c.confirmed_height' });
  expect(confirmedInSql('d', readOf('c')).replace(/\s+/g, ' ')).toBe(
    '(d.block_height <= c.confirmed_height::bigint AND d.block_height <= c.height::bigint - d.extra_confirmations + 1)',
  );
  expect(confirmationsInSql('d', 'c')).toBe('greatest(coalesce(c.height - d.block_height + 1, 0), 0)');
});
