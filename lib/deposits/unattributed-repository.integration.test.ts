import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { makeSpecialDeposit, ON_BSC } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import {
  callAttachDeposit,
  findTargetWallet,
  selectForeignDeposits,
  selectUnattributed,
} from './unattributed-repository';

const OF_NOBODY = 'wallet_id = NULL';

let database: TestDatabase;
let owner: { id: number; email: string };
let invoice: MadeInvoice;
let other: MadeInvoice;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database.db;
  await emptyTables(pool);
  await makeUser(pool);
  owner = await makeUser(pool);
  await makeUser(pool);
  await makeCursor(pool);
  await makeCursor(pool, { chain: 'bsc' });
  await pool.query("UPDATE chain_cursor SET epoch = CASE WHEN chain = 'bsc' THEN 7 ELSE 0 END");
  [invoice, other] = [
    await makeInvoice(pool, { userId: owner.id }),
    await makeInvoice(pool, { userId: (await makeUser(pool)).id }),
  ];
});

const stored = (columns: string, to = invoice) =>
  makeSpecialDeposit(database.db.pool, { invoice: to, amountUnits: 5n, height: 50n }, columns);

test('nobody’s money is listed, newest first, page by page, with its address and whose that is; other money is not', async () => {
  const { pool } = database.db;
  const first = await stored(OF_NOBODY, other);
  const second = await stored(`${OF_NOBODY}, ${ON_BSC}, epoch = 7`);
  for (const columns of ['seen_at = now()', `${OF_NOBODY}, orphaned_at = now()`, `${OF_NOBODY}, epoch = 7`])
    await stored(columns);
  await stored(`${OF_NOBODY}, ${ON_BSC}, epoch = 0`);
  const { rows, total } = await selectUnattributed(pool, { limit: 10, offset: 0 });
  expect(total).toBe(2);
  expect(rows.map(({ id }) => id)).toEqual([second, first]);
  const { rows: addresses } = await pool.query('SELECT address FROM pool_address WHERE id = ANY($1) ORDER BY id', [
    [invoice.poolAddressId, other.poolAddressId],
  ]);
  expect(rows.map(({ toAddress }) => toAddress)).toEqual(addresses.map(({ address }) => address));
  expect(rows[0]).toMatchObject({ ownerEmail: owner.email, invoiceUuid: invoice.uuid, coin: 'BNB' });
  const next = await selectUnattributed(pool, { limit: 1, offset: 1 });
  expect(next).toMatchObject({ total: 2, rows: [{ id: first }] });
});

test('foreign is nobody’s money on an address whose wallet is of another coin, of those that are asked about', async () => {
  const foreign = await stored(`${OF_NOBODY}, ${ON_BSC}`);
  const unasked = await stored(`${OF_NOBODY}, ${ON_BSC}`, other);
  const own = await stored(OF_NOBODY);
  const given = await stored(ON_BSC);
  const found = await selectForeignDeposits(database.db.pool, [foreign, own, given]);
  expect(found).toMatchObject([{ coin: 'BNB', walletCoin: 'ETH', ownerEmail: owner.email, invoiceUuid: invoice.uuid }]);
  expect(await selectForeignDeposits(database.db.pool, [unasked])).toHaveLength(1);
});

test('a wallet is named by its number, its uuid or its invoice’s uuid, and by nothing else', async () => {
  const { pool } = database.db;
  const { id, uuid } = await makeWallet(pool, { ...invoice, userId: owner.id, coin: 'BNB' });
  const { rows } = await pool.query<{ uuid: string }>(
    'INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at) VALUES ($1, 100, 60, now()) RETURNING uuid',
    [owner.id],
  );
  expect(await findTargetWallet(pool, String(id))).toBe(id);
  expect(await findTargetWallet(pool, uuid)).toBe(id);
  expect(await findTargetWallet(pool, invoice.uuid)).toBe(invoice.walletId);
  for (const name of [rows[0]?.uuid ?? '', 'anna', '-1', `${uuid}0`, '9999999999'])
    expect(await findTargetWallet(pool, name), name).toBeNull();
});

const attach = (depositId: bigint, walletId: number) =>
  callAttachDeposit(database.db.pool, { depositId: String(depositId), walletId, operator: 'anna', note: null });
const walletOf = async (id: bigint) =>
  (await database.db.pool.query('SELECT wallet_id AS id FROM deposit WHERE id = $1', [id])).rows[0]?.id;

test('money that has an owner, of another chain’s time or not there is attached to nobody', async () => {
  const owned = await stored('seen_at = now()');
  const replaced = await stored(`${OF_NOBODY}, epoch = 7`);
  expect([await attach(owned, other.walletId), await attach(replaced, other.walletId)]).toEqual([false, false]);
  expect(await attach(999_999n, other.walletId)).toBe(false);
  expect([await walletOf(owned), await walletOf(replaced)]).toEqual([invoice.walletId, null]);
});

test('a deposit is attached, and no other one', async () => {
  const [meant, neighbour] = [await stored(OF_NOBODY), await stored(OF_NOBODY)];
  expect(await attach(meant, other.walletId)).toBe(true);
  expect([await walletOf(meant), await walletOf(neighbour)]).toEqual([other.walletId, null]);
  const { rows } = await database.db.pool.query(
    'SELECT deposit_id AS id, wallet_id AS "walletId" FROM deposit_attribution',
  );
  expect(rows).toEqual([{ id: meant, walletId: other.walletId }]);
});

test('of two that attach money which is not booked yet the second finds it given', async () => {
  const deposit = await stored(OF_NOBODY);
  const first = await database.db.pool.connect();
  try {
    await first.query('BEGIN');
    await first.query("SELECT attach_deposit($1, $2, 'anna', NULL)", [deposit, other.walletId]);
    const second = attach(deposit, invoice.walletId);
    const waits = "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    await vi.waitFor(async () => expect((await database.db.pool.query(waits)).rows).toHaveLength(1), 10_000);
    await first.query('COMMIT');
    expect(await second).toBe(false);
  } finally {
    first.release();
  }
  expect(await walletOf(deposit)).toBe(other.walletId);
});
