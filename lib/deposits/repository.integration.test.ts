import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { foundTransfer, makeSpecialDeposit, ON_BSC, WAITS } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import type { FoundTransfer } from './deposit';
import { listDeposits, orphanDeposits, storeTransfers } from './repository';

const NOW = new Date('2026-11-28T12:00:00Z');
const BEFORE = new Date('2026-11-01T12:00:00Z');
const PLACE = { chain: 'ethereum', epoch: 0, seenAt: NOW } as const;
/** Nothing that was there comes to count with the blocks. */
const SAME = { height: 100n, confirmedHeight: 90n };

let database: TestDatabase;
/** Invoices by what they are called here, each with a wallet of its own. */
let invoices: Record<'paid' | 'first' | 'other', MadeInvoice>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database.db;
  await pool.query('TRUNCATE deposit, settlement_task CASCADE');
  await makeCursor(pool);
  const userId = (await makeUser(pool)).id;
  const make = () => makeInvoice(pool, { userId });
  invoices = { paid: await make(), first: await make(), other: await make() };
});

async function stored(columns: string, to: keyof typeof invoices = 'other', height = 50n): Promise<bigint> {
  const { pool } = database.db;
  const id = await makeSpecialDeposit(pool, { invoice: invoices[to], amountUnits: 5n, height, time: NOW }, columns);
  await pool.query('TRUNCATE settlement_task');
  return id;
}

const found = (given: Partial<FoundTransfer['transfer']> = {}, to: keyof typeof invoices = 'paid') =>
  foundTransfer(invoices[to], given, { height: 100n, hash: '0xb', time: NOW });

const store = (transfers: FoundTransfer[], before = SAME, after = SAME) =>
  storeTransfers(database.db.pool, PLACE, transfers, { before, after });

async function queued(): Promise<string[]> {
  const { rows } = await database.db.pool.query('SELECT wallet_id AS id FROM settlement_task');
  const names = Object.entries(invoices).map(([name, { walletId }]) => [walletId, name] as const);
  return rows.map(({ id }) => new Map(names).get(id) ?? 'nobody').sort();
}

const rowOf = async (id: bigint) =>
  (
    await database.db.pool.query(
      `SELECT orphaned_at AS "orphanedAt", block_height AS height, amount_units AS units, wallet_id AS "walletId"
       FROM deposit WHERE id = $1`,
      [id],
    )
  ).rows[0];

test('what waited and spends the same is replaced, on that chain and in that epoch alone, and its wallet is queued', async () => {
  const spends = "spends = '{out,more}'";
  const replaced = await stored(`${WAITS}, ${spends}`, 'first');
  const kept = [
    await stored(`${WAITS}, ${spends}, ${ON_BSC}`),
    await stored(`${WAITS}, ${spends}, epoch = 1`),
    await stored(`${WAITS}, spends = '{more}'`),
    await stored(spends),
  ];
  const gone = await stored(`${WAITS}, ${spends}, orphaned_at = '${BEFORE.toISOString()}'`);
  await store([found()]);
  expect(await rowOf(replaced)).toMatchObject({ orphanedAt: NOW });
  for (const id of kept) expect(await rowOf(id)).toMatchObject({ orphanedAt: null });
  expect(await rowOf(gone)).toMatchObject({ orphanedAt: BEFORE });
  expect(await queued()).toEqual(['first', 'paid']);
});

test('what waited and is mined now is one deposit: it is not replaced by itself', async () => {
  const id = await stored(`${WAITS}, spends = '{out}', transfer_key = 'k'`, 'paid');
  expect(await store([found()])).toMatchObject({ stored: 1, queued: 1 });
  expect(await rowOf(id)).toMatchObject({ orphanedAt: null, height: 100n });
});

test('what waited for another wallet and is mined for this one changes both, and no wallet of another key, chain or epoch', async () => {
  const id = await stored(`${WAITS}, transfer_key = 'k'`, 'first');
  await stored(`${WAITS}, transfer_key = 'k', ${ON_BSC}`);
  await stored(`${WAITS}, transfer_key = 'k', epoch = 1`);
  await stored(`${WAITS}, transfer_key = 'another'`);
  await store([found()]);
  expect(await rowOf(id)).toMatchObject({ walletId: invoices.paid.walletId, height: 100n });
  expect(await queued()).toEqual(['first', 'paid']);
});

test.each([
  ['address', {}, 'first' as const],
  ['amount', { amountUnits: 6n }, 'paid' as const],
])('what was mined before with another %s stays what it is, and nobody is queued for it', async (_, given, to) => {
  const id = await stored("transfer_key = 'k'", 'paid');
  const before = await rowOf(id);
  expect(await store([found(given, to)])).toMatchObject({ stored: 0, queued: 0 });
  expect(await rowOf(id)).toEqual(before);
});

test('what waited and was booked stays what it is when a block tells another amount', async () => {
  const id = await stored(`${WAITS}, transfer_key = 'k', posted_at = now(), bookings = 1`, 'paid');
  expect(await store([found({ amountUnits: 6n })])).toMatchObject({ stored: 0 });
  expect(await rowOf(id)).toMatchObject({ units: 5n });
});

test.each([
  ['amount', { amountUnits: 6n }],
  ['coin', { coin: 'BNB' as const }],
])(
  'what waited, was given to another wallet and is mined with another %s is that of the address again',
  async (_, given) => {
    const id = await stored(`${WAITS}, transfer_key = 'k', wallet_id = ${invoices.first.walletId}`, 'paid');
    await store([found(given)]);
    const { walletId } = await rowOf(id);
    expect(walletId).toBe('coin' in given ? null : invoices.paid.walletId);
  },
);

test('a block tells what kind a payment is and what it spends, and who finds no wallet is told', async () => {
  const id = await stored(`${WAITS}, transfer_key = 'k', spends = '{}'`, 'paid');
  expect(await store([found({ kind: 'coinbase', spends: ['a'] })])).toMatchObject({ walletless: null });
  const { rows } = await database.db.pool.query('SELECT kind, spends FROM deposit WHERE id = $1', [id]);
  expect(rows).toEqual([{ kind: 'coinbase', spends: ['a'] }]);
  const { walletless } = await store([found({ key: 'n', coin: 'BNB' })]);
  expect(walletless).toHaveLength(1);
});

test('wallets whose deposits come to count with the blocks are queued, and no other', async () => {
  await stored('seen_at = now()', 'first', 91n);
  for (const columns of [ON_BSC, 'epoch = 1', 'orphaned_at = now()']) await stored(columns, 'other', 91n);
  await stored('seen_at = now()', 'other', 90n);
  await stored('seen_at = now()', 'other', 93n);
  await store([], SAME, { height: 102n, confirmedHeight: 92n });
  expect(await queued()).toEqual(['first']);
});

test('deposits that need more confirmations come to count by their own number, unless they are booked', async () => {
  // With 12 confirmations from block 80 on it is block 91 that decides.
  const needs = 'extra_confirmations = 12';
  await stored(needs, 'first', 90n);
  await stored(needs, 'paid', 91n);
  for (const columns of [ON_BSC, 'epoch = 1', 'orphaned_at = now()', 'posted_at = now(), bookings = 1'])
    await stored(`${needs}, ${columns}`, 'other', 90n);
  await stored(needs, 'other', 89n);
  await stored(needs, 'other', 92n);
  for (const height of [101n, 102n]) await stored('extra_confirmations = 0', 'other', height);
  await store([], SAME, { height: 102n, confirmedHeight: 90n });
  expect(await queued()).toEqual(['first', 'paid']);
});

test('a roll-back takes the deposits above its fork off their chain, once, and queues their wallets', async () => {
  const taken = await stored('seen_at = now()', 'first', 61n);
  await stored('wallet_id = NULL', 'first', 61n);
  const kept = [
    await stored('seen_at = now()', 'other', 60n),
    await stored(ON_BSC, 'other', 61n),
    await stored('epoch = 1', 'other', 61n),
  ];
  const gone = await stored(`orphaned_at = '${BEFORE.toISOString()}'`, 'other', 61n);
  expect(await orphanDeposits(database.db.pool, PLACE, 60n)).toBe(2);
  expect(await rowOf(taken)).toMatchObject({ orphanedAt: NOW });
  for (const id of kept) expect(await rowOf(id)).toMatchObject({ orphanedAt: null });
  expect(await rowOf(gone)).toMatchObject({ orphanedAt: BEFORE });
  expect(await queued()).toEqual(['first']);
});

test('the deposits of wallets are those of their chains’ present epochs, each with its own chain’s height', async () => {
  await makeCursor(database.db.pool, { chain: 'bsc', height: 7n });
  const own = await stored('seen_at = now()', 'paid');
  const there = await stored(ON_BSC, 'first');
  await stored('epoch = 1', 'paid');
  await stored('seen_at = now()', 'other');
  const { paid, first } = invoices;
  const listed = await listDeposits(database.db.pool, [paid.walletId, first.walletId], 5);
  expect(listed.map(({ id, walletId, height }) => ({ id, walletId, height }))).toEqual([
    { id: own, walletId: paid.walletId, height: 100n },
    { id: there, walletId: first.walletId, height: 7n },
  ]);
});

test.each([
  ['deposit_amount_positive', 'amount_units = 0'],
  ['deposit_amount_positive', 'amount_units = -1'],
  ['deposit_block_whole', 'block_hash = NULL'],
  ['deposit_block_whole', 'block_time = NULL'],
  ['deposit_block_whole', 'block_height = NULL'],
  ['deposit_extra_confirmations_not_negative', 'extra_confirmations = -1'],
])('a deposit is of something, and in a whole block or in none: %s, %s', async (constraint, columns) => {
  await expect(stored(columns)).rejects.toMatchObject({ constraint });
});
