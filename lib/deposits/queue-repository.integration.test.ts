import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { makeSpecialDeposit, ON_BSC } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import {
  deleteTasks,
  deleteTasksWithoutInvoice,
  queuePendingInvoices,
  queueRecentDeposits,
  queueWallet,
} from './queue-repository';

const HEIGHT = 5000n;

let database: TestDatabase;
let userId: number;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database.db;
  await pool.query('TRUNCATE deposit, settlement_task CASCADE');
  await pool.query("UPDATE invoice SET status = 'expired'");
  userId = (await makeUser(pool)).id;
  await makeCursor(pool, { height: HEIGHT });
  await makeCursor(pool, { chain: 'bsc', height: 1n });
  await pool.query('UPDATE chain_cursor SET epoch = 0');
});

const make = () => makeInvoice(database.db.pool, { userId });
const run = (text: string, values: unknown[] = []) => database.db.pool.query(text, values);

async function pay(height: bigint, columns?: string, to?: MadeInvoice): Promise<MadeInvoice> {
  const invoice = to ?? (await make());
  await makeSpecialDeposit(database.db.pool, { invoice, height }, columns);
  return invoice;
}

/** The queue, without what stored it. */
async function queued(): Promise<{ walletId: number; chain: string }[]> {
  const { rows } = await run('SELECT wallet_id AS "walletId", chain FROM settlement_task ORDER BY id');
  return rows;
}

test('each wallet with money in the last 1,000 blocks is queued once, and no other', async () => {
  const recent = await pay(HEIGHT - 999n);
  await pay(HEIGHT, undefined, recent);
  await pay(HEIGHT - 1000n);
  await pay(HEIGHT, ON_BSC);
  await pay(HEIGHT, 'epoch = 1');
  await pay(HEIGHT, 'wallet_id = NULL');
  await run('TRUNCATE settlement_task');
  expect(await queueRecentDeposits(database.db.pool, 'ethereum')).toBe(1);
  expect(await queued()).toEqual([{ walletId: recent.walletId, chain: 'ethereum' }]);
});

test('what is recent on a chain is told by that chain’s own height and epoch', async () => {
  await run("UPDATE chain_cursor SET epoch = 7 WHERE chain = 'bsc'");
  const there = await pay(1n, `${ON_BSC}, epoch = 7`);
  await pay(HEIGHT);
  await run('TRUNCATE settlement_task');
  expect(await queueRecentDeposits(database.db.pool, 'bsc')).toBe(1);
  expect(await queued()).toEqual([{ walletId: there.walletId, chain: 'bsc' }]);
});

test('the wallets of a chain’s open invoices are queued, and of no other', async () => {
  const open = await make();
  const over = await make();
  await run("UPDATE invoice SET status = 'expired' WHERE id = $1", [over.id]);
  expect(await queuePendingInvoices(database.db.pool, 'bsc')).toBe(0);
  expect(await queuePendingInvoices(database.db.pool, 'ethereum')).toBe(1);
  expect(await queued()).toEqual([{ walletId: open.walletId, chain: 'ethereum' }]);
});

test('tasks are taken off by their own numbers', async () => {
  await queueWallet(database.db.pool, 1, 'ethereum');
  await queueWallet(database.db.pool, 1, 'ethereum');
  const { rows } = await run('SELECT id FROM settlement_task ORDER BY id');
  await deleteTasks(database.db.pool, [BigInt(rows[1].id)]);
  expect((await run('SELECT id FROM settlement_task')).rows).toEqual([rows[0]]);
});

test('tasks without an invoice leave the queue of their chain, and those with one stay', async () => {
  const { walletId } = await make();
  await queueWallet(database.db.pool, walletId, 'ethereum');
  await queueWallet(database.db.pool, 999_999, 'ethereum');
  await queueWallet(database.db.pool, 999_999, 'bsc');
  await deleteTasksWithoutInvoice(database.db.pool, 'ethereum');
  expect(await queued()).toEqual([
    { walletId, chain: 'ethereum' },
    { walletId: 999_999, chain: 'bsc' },
  ]);
});
