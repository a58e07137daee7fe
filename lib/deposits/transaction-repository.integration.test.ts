import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MadeInvoice, makeCursor, makeDeposit, makeInvoice, makeUser } from '@/testing/factories';
import { makeSpecialDeposit, WAITS } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { selectTransfers } from './transaction-repository';

const NOW = new Date('2026-11-28T12:00:00Z');

let database: TestDatabase;
let userId: number;
let invoice: MadeInvoice;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database.db;
  userId = (await makeUser(pool)).id;
  // Read to 100; 98 is the last that counts.
  await makeCursor(pool, { height: 100n, confirmations: 3 });
  await makeCursor(pool, { chain: 'bsc', height: 5n });
  invoice = await makeInvoice(pool, { userId });
});
afterAll(() => database.drop());

test.each([
  ['in the last block that counts', 98n, '', { confirmations: 3, isConfirmed: true }],
  ['in the next one', 99n, '', { confirmations: 2, isConfirmed: false }],
  ['in the head', 100n, '', { confirmations: 1, isConfirmed: false }],
  ['above the head', 103n, '', { confirmations: 0, isConfirmed: false }],
  ['that waits', 1n, WAITS, { confirmations: 0, isConfirmed: false }],
  ['with exactly its own number', 91n, 'extra_confirmations = 10', { confirmations: 10, isConfirmed: true }],
  ['one short of its own number', 92n, 'extra_confirmations = 10', { confirmations: 9, isConfirmed: false }],
  ['that is gone', 50n, 'orphaned_at = now()', { confirmations: 0, isConfirmed: false, isOrphaned: true }],
  ['of a chain that was replaced', 50n, 'epoch = 3', { confirmations: 0, isConfirmed: false }],
])('a transfer %s shows its confirmations, and counts as confirmed or not', async (_, height, columns, shown) => {
  const { pool } = database.db;
  const id = await makeSpecialDeposit(pool, { invoice, height, time: NOW }, columns);
  const [newest] = await selectTransfers(pool, invoice.walletId, 10);
  expect(newest).toMatchObject({ id, isOrphaned: false, ...shown });
});

test('they are those of the wallet, the newest first, once each, as many as are asked for', async () => {
  const { pool } = database.db;
  const own = await makeInvoice(pool, { userId });
  const ids: bigint[] = [];
  for (const height of [3n, 1n, 2n]) {
    ids.unshift(await makeSpecialDeposit(pool, { invoice: own, height }));
    await makeDeposit(pool, { invoice, height });
  }
  expect((await selectTransfers(pool, own.walletId, 100)).map(({ id }) => id)).toEqual(ids);
  expect((await selectTransfers(pool, own.walletId, 2)).map(({ id }) => id)).toEqual(ids.slice(0, 2));
});
