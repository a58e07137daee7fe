import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MadeInvoice, makeCursor, makeDeposit, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { selectTransfers } from './transaction-repository';

const NOW = new Date('2026-11-28T12:00:00Z');

let database: TestDatabase;
let invoice: MadeInvoice;

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database.db;
  const userId = (await makeUser(pool)).id;
  // Read to 100; 98 is the last that counts.
  await makeCursor(pool, { height: 100n, confirmations: 3 });
  await makeCursor(pool, { chain: 'bsc', height: 5n });
  invoice = await makeInvoice(pool, { userId });
  const other = await makeInvoice(pool, { userId });
  await makeDeposit(pool, { invoice: other, height: 1n });
});
afterAll(() => database.drop());

const WAITS = 'block_height = NULL, block_hash = NULL, block_time = NULL';

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
  const { id } = await makeDeposit(pool, { invoice, height, time: NOW });
  if (columns) await pool.query(`UPDATE deposit SET ${columns} WHERE id = ${id}`);
  const [newest] = await selectTransfers(pool, invoice.walletId, 10);
  expect(newest).toMatchObject({ id: BigInt(id), isOrphaned: false, ...shown });
});

test('they are those of the wallet, the newest first, once each, as many as are asked for', async () => {
  const { pool } = database.db;
  const ids = (await pool.query('SELECT id FROM deposit WHERE wallet_id = $1 ORDER BY id DESC', [invoice.walletId]))
    .rows;
  const all = await selectTransfers(pool, invoice.walletId, 100);
  expect(all.map(({ id }) => id)).toEqual(ids.map(({ id }) => BigInt(id)));
  expect((await selectTransfers(pool, invoice.walletId, 2)).map(({ id }) => id)).toEqual(
    all.slice(0, 2).map(({ id }) => id),
  );
});
