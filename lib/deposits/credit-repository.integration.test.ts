import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { type MadeInvoice, makeCursor, makeInvoice, makePool, makeUser } from '@/testing/factories';
import { makeSpecialDeposit, ON_BSC, WAITS } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import {
  copyCreditLine,
  findPoolAddress,
  handOnFirstBooking,
  handOnWallet,
  lockCredits,
  lockReadChain,
  noteCredit,
  replaceCreditRows,
  selectExplained,
  selectMissingKeys,
} from './credit-repository';

const NOW = new Date('2026-11-28T12:00:00Z');
const KEY = 'the-key';

let database: TestDatabase;
let userId: number;
/** Two invoices, each with an address of its own. */
let invoice: MadeInvoice;
let other: MadeInvoice;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database.db;
  await pool.query('TRUNCATE deposit, deposit_credit, deposit_attribution, settlement_task CASCADE');
  userId = (await makeUser(pool)).id;
  await makeCursor(pool);
  [invoice, other] = [await makeInvoice(pool, { userId }), await makeInvoice(pool, { userId })];
});

/** A deposit of 5 in block 100, confirmed and not booked; `columns` says what is particular about it. */
const stored = (columns = '', to = invoice) =>
  makeSpecialDeposit(database.db.pool, { invoice: to, amountUnits: 5n, height: 100n, time: NOW }, columns);

/** A deposit with the key, and its likes on another chain, in another epoch and with another key: only it is meant. */
async function keyed(columns: string): Promise<{ meant: bigint; others: bigint[] }> {
  const named = `transfer_key = '${KEY}', ${columns}`;
  const others = [await stored(`${named}, ${ON_BSC}`), await stored(`${named}, epoch = 1`), await stored(columns)];
  return { meant: await stored(named), others };
}

const column = async (name: string) =>
  Object.fromEntries(
    (await database.db.pool.query(`SELECT id, ${name} AS value FROM deposit`)).rows.map(({ id, value }) => [id, value]),
  );
const successor = (fromId: bigint) => ({ chain: 'ethereum', epoch: 0, fromId, key: KEY }) as const;

test('a transfer is missing unless it is stored as mined, on its chain and in its epoch', async () => {
  await stored("transfer_key = 'mined'");
  await stored(`transfer_key = 'elsewhere', ${ON_BSC}`);
  await stored("transfer_key = 'before', epoch = 1");
  await stored("transfer_key = 'lost', orphaned_at = now()");
  await stored(`transfer_key = 'waits', ${WAITS}`);
  const missing = ['before', 'elsewhere', 'lost', 'never seen', 'waits'];
  const found = await selectMissingKeys(database.db.pool, 'ethereum', 0, ['mined', ...missing]);
  expect([...found].sort()).toEqual(missing);
});

test('credits of the addresses that count are locked, lowest block first, and no other deposit', async () => {
  const credit = "kind = 'credit'";
  const later = await stored(`${credit}, block_height = 102`);
  const first = await stored(credit);
  const free = [await stored(credit, other)];
  for (const columns of [ON_BSC, 'epoch = 1', 'orphaned_at = now()']) free.push(await stored(`${credit}, ${columns}`));
  free.push(await stored());
  await transaction(database.db, async (sql) => {
    const credits = await lockCredits(sql, 'ethereum', 0, [BigInt(invoice.poolAddressId)]);
    expect(credits.map(({ id }) => id)).toEqual([first, later]);
    const { rows } = await database.db.pool.query<{ id: string }>(
      'SELECT id FROM deposit ORDER BY id FOR UPDATE SKIP LOCKED',
    );
    expect(rows.map(({ id }) => BigInt(id))).toEqual(free);
    const { rows: addresses } = await database.db.pool.query('SELECT address FROM pool_address WHERE id = $1', [
      invoice.poolAddressId,
    ]);
    expect(new Set(credits.map(({ address }) => address))).toEqual(new Set([addresses[0].address]));
  });
});

test('replaced credits count no more, and their wallets are decided again; who has none is not queued', async () => {
  const [given, unattributed, kept] = [await stored(), await stored('wallet_id = NULL'), await stored('', other)];
  await database.db.pool.query('TRUNCATE settlement_task');
  await replaceCreditRows(database.db.pool, 'ethereum', [given, unattributed], NOW);
  expect(await column('orphaned_at')).toEqual({
    [String(given)]: NOW,
    [String(unattributed)]: NOW,
    [String(kept)]: null,
  });
  const { rows } = await database.db.pool.query('SELECT wallet_id, chain FROM settlement_task');
  expect(rows).toEqual([{ wallet_id: invoice.walletId, chain: 'ethereum' }]);
});

test('what takes a credit’s place goes to whom that credit was given last, and nothing else does', async () => {
  const { pool } = database.db;
  const [credit, stranger] = [await stored("kind = 'credit'"), await stored("kind = 'credit'")];
  const give = (to: bigint, walletId: number, operator: string) =>
    pool.query(
      `INSERT INTO deposit_attribution (deposit_id, wallet_id, operator, note) VALUES ($1, $2, $3, 'because')`,
      [to, walletId, operator],
    );
  await give(credit, other.walletId, 'bruno');
  await give(credit, invoice.walletId, 'anna');
  await give(stranger, other.walletId, 'carla');
  const { meant, others } = await keyed('wallet_id = NULL');
  await handOnWallet(pool, successor(credit));
  const wallets = await column('wallet_id');
  expect(wallets[String(meant)]).toBe(invoice.walletId);
  expect(others.map((id) => wallets[String(id)])).toEqual([null, null, null]);
  const { rows } = await pool.query('SELECT operator, note FROM deposit_attribution WHERE deposit_id = $1', [meant]);
  expect(rows).toEqual([{ operator: 'anna', note: 'because' }]);
});

test('what has a wallet keeps it, whoever the credit was given to', async () => {
  const credit = await stored("kind = 'credit'");
  await database.db.pool.query(
    "INSERT INTO deposit_attribution (deposit_id, wallet_id, operator) VALUES ($1, $2, 'anna')",
    [credit, invoice.walletId],
  );
  const owned = await stored(`transfer_key = '${KEY}'`, other);
  await handOnWallet(database.db.pool, successor(credit));
  expect((await column('wallet_id'))[String(owned)]).toBe(other.walletId);
});

test('what takes a credit’s place was booked when the credit was, and no other deposit', async () => {
  const booked = new Date('2026-11-01T08:00:00Z');
  await stored("first_posted_at = '2026-10-01T08:00:00Z'");
  const credit = await stored(`first_posted_at = '${booked.toISOString()}'`);
  const { meant, others } = await keyed('first_posted_at = NULL');
  await handOnFirstBooking(database.db.pool, successor(credit));
  const dates = await column('first_posted_at');
  expect(dates[String(meant)]).toEqual(booked);
  expect(others.map((id) => dates[String(id)])).toEqual([null, null, null]);
});

const LINE = { operator: 'anna', note: 'by hand', height: 99n, balanceUnits: 12n, expectedUnits: 7n };
const lines = async () =>
  (
    await database.db.pool.query(
      `SELECT deposit_id AS id, operator, note, height, balance_units AS "balanceUnits", expected_units AS "expectedUnits"
       FROM deposit_credit ORDER BY id`,
    )
  ).rows;

test('the audit line of a credit is that credit’s, and what is left of it keeps that line alone', async () => {
  const { pool } = database.db;
  const { meant: credit } = await keyed("kind = 'credit'");
  await noteCredit(pool, { chain: 'ethereum', epoch: 0, key: KEY, ...LINE });
  expect(await lines()).toEqual([{ id: credit, ...LINE }]);
  await pool.query(`UPDATE deposit SET transfer_key = 'old-' || id`);
  await pool.query(
    "INSERT INTO deposit_credit (deposit_id, operator, height, balance_units, expected_units) VALUES ($1, 'x', 1, 1, 1)",
    [await stored()],
  );
  const { meant: rest } = await keyed("kind = 'credit'");
  await copyCreditLine(pool, successor(credit));
  expect((await lines()).filter(({ operator }) => operator === 'anna')).toEqual([
    { id: credit, ...LINE },
    { id: rest, ...LINE },
  ]);
  expect(await lines()).toHaveLength(3);
});

test('how far a chain was read is that chain’s, and stays until the transaction ends', async () => {
  const { pool } = database.db;
  await makeCursor(pool, { height: 120n });
  await transaction(database.db, async (sql) => {
    expect(await lockReadChain(sql, 'bsc')).toBeNull();
    expect(await lockReadChain(sql, 'ethereum')).toMatchObject({ epoch: 0, height: 120n, branchHeight: null });
    const { rows } = await pool.query('SELECT chain FROM chain_cursor FOR UPDATE SKIP LOCKED');
    expect(rows).toEqual([]);
  });
});

test('of an address, the records explain what came up to a block, all credits, and apart what came in it and before the epoch', async () => {
  const units = (n: number, columns = '', to = invoice) =>
    stored(`amount_units = ${n}${columns && `, ${columns}`}`, to);
  await units(1);
  await units(2, 'block_height = 99');
  await units(4, 'block_height = 101');
  await units(8, "block_height = 101, kind = 'credit'");
  await units(16, WAITS);
  await units(32, 'orphaned_at = now()');
  await units(64, ON_BSC);
  await units(128, '', other);
  await units(256, "chain = 'bsc'");
  await units(512, "coin = 'BNB'");
  const asked = { chain: 'ethereum', coin: 'ETH', poolAddressId: BigInt(invoice.poolAddressId), height: 100n } as const;
  expect(await selectExplained(database.db.pool, { ...asked, epoch: 0 })).toEqual({
    explainedUnits: 11n,
    writtenOffUnits: 0n,
    atHeightUnits: 1n,
  });
  expect(await selectExplained(database.db.pool, { ...asked, epoch: 1 })).toEqual({
    explainedUnits: 0n,
    writtenOffUnits: 31n,
    atHeightUnits: 0n,
  });
  const ofBnb = { ...asked, chain: 'bsc', coin: 'BNB', epoch: 0 } as const;
  expect((await selectExplained(database.db.pool, ofBnb)).explainedUnits).toBe(64n);
});

test('an address is found among those of the coin’s family alone, and one of nobody is not', async () => {
  const { pool } = database.db;
  const [address = '', tons = ''] = await makePool(pool, { count: 2 });
  const { rows } = await pool.query('SELECT id FROM pool_address WHERE address = $1', [address]);
  await pool.query("UPDATE pool_address SET family = 'TON' WHERE address = $1", [tons]);
  expect(await findPoolAddress(pool, 'ETH', address)).toBe(BigInt(rows[0].id));
  expect(await findPoolAddress(pool, 'ETH', tons)).toBeNull();
  expect(await findPoolAddress(pool, 'TON', address)).toBeNull();
  expect(await findPoolAddress(pool, 'ETH', `${address}0`)).toBeNull();
});
