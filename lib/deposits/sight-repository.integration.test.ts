import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { foundTransfer, makeSpecialDeposit, ON_BSC, WAITS } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import type { FoundTransfer } from './deposit';
import { storeSights } from './sight-repository';

const NOW = new Date('2026-11-28T12:00:00Z');
const BEFORE = new Date('2026-11-01T12:00:00Z');
const PLACE = { chain: 'ethereum', epoch: 0, seenAt: NOW } as const;
const GONE = `orphaned_at = '${BEFORE.toISOString()}'`;
/** How far the chain was read. */
const HEIGHT = 1000n;

let database: TestDatabase;
let userId: number;
let invoice: MadeInvoice;
let other: MadeInvoice;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database.db;
  await pool.query('TRUNCATE deposit, settlement_task CASCADE');
  await makeCursor(pool, { height: HEIGHT });
  await makeCursor(pool, { chain: 'bsc', height: 5n });
  userId = (await makeUser(pool)).id;
  [invoice, other] = [await makeInvoice(pool, { userId }), await makeInvoice(pool, { userId })];
});

/** A deposit to the other invoice, of 5. */
async function stored(columns: string, to = other): Promise<bigint> {
  const { pool } = database.db;
  const id = await makeSpecialDeposit(pool, { invoice: to, amountUnits: 5n, height: HEIGHT, time: NOW }, columns);
  await pool.query('TRUNCATE settlement_task');
  return id;
}

const found = (given: Partial<FoundTransfer['transfer']> = {}) => foundTransfer(invoice, given);

const sight = (transfers: FoundTransfer[], isComplete = false) =>
  storeSights(database.db.pool, PLACE, transfers, isComplete);
const run = async (text: string) => (await database.db.pool.query(text)).rows;
const seen = async () =>
  (
    await run(
      "SELECT id FROM deposit WHERE transfer_key = 'k' AND orphaned_at IS NULL AND chain = 'ethereum' AND epoch = 0",
    )
  ).length;
const orphanedAt = async (id: bigint) => (await run(`SELECT orphaned_at AS at FROM deposit WHERE id = ${id}`))[0]?.at;

test.each([HEIGHT, HEIGHT - 99n])(
  'what spends the same as what was mined in block %s of a thousand waits no more',
  async (height) => {
    await stored(`spends = '{out}', block_height = ${height}`);
    expect(await sight([found()])).toBe(0);
    expect(await seen()).toBe(0);
  },
);

test.each([
  ['on another chain', `spends = '{out}', ${ON_BSC}`],
  ['in another epoch', "spends = '{out}', epoch = 1"],
  ['and is gone', `spends = '{out}', ${GONE}`],
  ['by itself', "spends = '{out}', tx_hash = 'k', transfer_key = 'its other output'"],
  ['a hundred blocks ago', `spends = '{out}', block_height = ${HEIGHT - 100n}`],
  ['but spends something else', "spends = '{more}'"],
  ['and waits itself', `spends = '{out}', ${WAITS}`],
])('a payment waits although something was mined %s', async (_, columns) => {
  await stored(columns);
  await sight([found()]);
  expect(await seen()).toBe(1);
});

test('what is known already is not stored again, unless on another chain or in another epoch; what was gone is back', async () => {
  await stored(`transfer_key = 'k', ${ON_BSC}`);
  await stored("transfer_key = 'k', epoch = 1");
  expect(await sight([found()])).toBe(1);
  expect(await sight([found()])).toBe(0);
  await run(`UPDATE deposit SET ${GONE} WHERE chain = 'ethereum' AND epoch = 0`);
  expect(await sight([found()])).toBe(1);
  expect(await seen()).toBe(1);
  expect(await run('SELECT wallet_id AS id FROM settlement_task')).toEqual([
    { id: invoice.walletId },
    { id: invoice.walletId },
  ]);
});

test('a mined deposit that is still there does not wait again', async () => {
  const id = await stored("transfer_key = 'k'", invoice);
  await sight([found({ spends: [] })]);
  expect(await run(`SELECT block_height AS height FROM deposit WHERE id = ${id}`)).toEqual([{ height: HEIGHT }]);
});

test.each([
  ['address', 'amount_units = 5', () => other],
  ['amount', 'amount_units = 6', () => invoice],
])('what was gone and is told with another %s stays gone', async (_, columns, to) => {
  const id = await stored(`transfer_key = 'k', ${columns}, ${GONE}`, to());
  expect(await sight([found()])).toBe(0);
  expect(await orphanedAt(id)).toEqual(BEFORE);
});

test('what was gone and is told in another coin stays gone', async () => {
  const id = await stored(`transfer_key = 'k', coin = 'BNB', ${GONE}`, invoice);
  await sight([found()]);
  expect(await orphanedAt(id)).toEqual(BEFORE);
});

test('the wallet is that of the coin on the address', async () => {
  await makeWallet(database.db.pool, { poolAddressId: invoice.poolAddressId, userId, coin: 'BNB' });
  await sight([found()]);
  expect(await run("SELECT wallet_id AS id FROM deposit WHERE transfer_key = 'k'")).toEqual([{ id: invoice.walletId }]);
});

test('of a whole look all ends that is not told any more, on that chain and in that epoch', async () => {
  const ended = await stored(`${WAITS}, spends = '{x}'`);
  const kept = [
    await stored(`${WAITS}, ${ON_BSC}`),
    await stored(`${WAITS}, epoch = 1`),
    await stored('seen_at = now()'),
    await stored(`${WAITS}, transfer_key = 'k', spends = '{out}'`, invoice),
  ];
  const gone = await stored(`${WAITS}, ${GONE}`);
  expect(await sight([found()], true)).toBe(1);
  expect(await orphanedAt(ended)).toEqual(NOW);
  for (const id of kept) expect(await orphanedAt(id)).toBeNull();
  expect(await orphanedAt(gone)).toEqual(BEFORE);
  expect(await run('SELECT wallet_id AS id, chain FROM settlement_task')).toEqual([
    { id: other.walletId, chain: 'ethereum' },
  ]);
});

test('of a look that may miss something only what was replaced ends, and never another output of the same transaction', async () => {
  const replaced = await stored(`${WAITS}, spends = '{out,x}'`);
  const kept = [
    await stored(`${WAITS}, spends = '{x}'`),
    await stored(`${WAITS}, spends = '{out}', tx_hash = 'k', transfer_key = 'its other output'`),
  ];
  await stored(`${WAITS}, wallet_id = NULL, spends = '{out}'`);
  expect(await sight([found()])).toBe(2);
  expect(await orphanedAt(replaced)).toEqual(NOW);
  for (const id of kept) expect(await orphanedAt(id)).toBeNull();
});
