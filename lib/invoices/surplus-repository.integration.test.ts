import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { leastToldUnits } from '@/lib/shared/money';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { callFromOldSnapshot, holdsInvoice } from '@/testing/open-transaction';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { noteSurplus, selectUntold } from './surplus-repository';

const LEAST = leastToldUnits('ETH');

let database: TestDatabase;
let userId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  // What is little in another coin decides nothing here.
  await database.db.pool.query(
    `INSERT INTO coin_rule SELECT 'BNB', 'bsc', family, has_own_key, decimals, 1, 1, 1, 0 FROM coin_rule WHERE coin = 'ETH'`,
  );
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyTables(database.db.pool);
  userId = (await makeUser(database.db.pool)).id;
  await makeCursor(database.db.pool);
});

async function withSurplus(units: bigint, told = 0n, coin = 'ETH', minutesAgo = 10): Promise<MadeInvoice> {
  const invoice = await makeInvoice(database.db.pool, { userId });
  await database.db.pool.query(
    `INSERT INTO address_surplus (coin, pool_address_id, units, told_units, height, found_at)
     VALUES ($1::coin, $2, $3, $4, 1, now() - $5 * interval '1 minute')`,
    [coin, invoice.poolAddressId, units, told, minutesAgo],
  );
  return invoice;
}

const untold = async (limit = 10) => (await selectUntold(database.db.pool, 'ETH', limit)).map(({ id }) => id);

test('untold is what exceeds what its merchant was told of by the least that is told, the oldest first', async () => {
  const later = await withSurplus(LEAST, 0n, 'ETH', 5);
  const earlier = await withSurplus(LEAST + 3n, 3n);
  await withSurplus(LEAST - 1n);
  await withSurplus(LEAST + 2n, 3n);
  await makeInvoice(database.db.pool, { userId });
  expect(await untold()).toEqual([earlier.id, later.id]);
  expect(await untold(1)).toEqual([earlier.id]);
});

test('a surplus in another coin is none of an invoice in this one, on the same address too', async () => {
  const { poolAddressId } = await withSurplus(LEAST, 0n, 'BNB');
  expect(await untold()).toEqual([]);
  const { id } = await makeWallet(database.db.pool, { poolAddressId, userId, coin: 'BNB' });
  const { rows } = await database.db.pool.query(
    `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at, coin, chain, amount_units, rate, wallet_id,
       chain_epoch) VALUES ($1, 100, 60, now(), 'BNB', 'bsc', 1, 1, $2, 0) RETURNING id`,
    [userId, id],
  );
  expect(await untold()).toEqual([]);
  expect((await selectUntold(database.db.pool, 'BNB', 10)).map((invoice) => invoice.id)).toEqual([rows[0].id]);
});

const toldOf = async ({ poolAddressId }: MadeInvoice, coin = 'ETH') =>
  (
    await database.db.pool.query<{ told: bigint }>(
      'SELECT told_units AS told FROM address_surplus WHERE pool_address_id = $1 AND coin = $2::coin',
      [poolAddressId, coin],
    )
  ).rows[0]?.told;

test('telling notes what was told of that invoice’s address and coin alone, from the least that is told on, once', async () => {
  const { pool } = database.db;
  const [told, other, small] = [await withSurplus(LEAST), await withSurplus(LEAST * 2n), await withSurplus(LEAST - 1n)];
  await pool.query(
    `INSERT INTO address_surplus (coin, pool_address_id, units, told_units, height, found_at)
     VALUES ('BNB', $1, $2, 0, 1, now())`,
    [told.poolAddressId, LEAST * 3n],
  );
  expect(await noteSurplus(pool, told.id, new Date())).toBe(true);
  expect(await noteSurplus(pool, told.id, new Date())).toBe(false);
  expect(await noteSurplus(pool, small.id, new Date())).toBe(false);
  expect([await toldOf(told), await toldOf(other), await toldOf(small), await toldOf(told, 'BNB')]).toEqual([
    ...[LEAST, 0n, 0n, 0n],
  ]);
});

test('the mail goes to the owner of the invoice, and to nobody else', async () => {
  const { pool } = database.db;
  await makeUser(pool);
  const invoice = await withSurplus(LEAST);
  await pool.query('UPDATE invoice SET user_id = $2 WHERE id = $1', [invoice.id, (await makeUser(pool)).id]);
  await makeUser(pool);
  await noteSurplus(pool, invoice.id, new Date());
  const { rows } = await pool.query(
    `SELECT u.id = i.user_id AS "isOwner", m.kind FROM outgoing_mail m JOIN invoice_event e ON e.id = m.event_id
       JOIN invoice i ON i.id = e.invoice_id JOIN user_account u ON u.email = m.recipient WHERE i.id = $1`,
    [invoice.id],
  );
  expect(rows).toEqual([{ isOwner: true, kind: 'misfit' }]);
});

test('a surplus is above nothing, and no less than nothing was told of', async () => {
  const of = (units: bigint, told: bigint) => expect(withSurplus(units, told)).rejects;
  await of(0n, 0n).toMatchObject({ constraint: 'address_surplus_positive' });
  await of(5n, -1n).toMatchObject({ constraint: 'address_surplus_positive' });
});

test('a surplus is told of while its invoice is held, and from no older snapshot', async () => {
  const { id } = await withSurplus(LEAST);
  const call = { text: 'SELECT note_surplus($1, now())', values: [id] };
  expect(await holdsInvoice(database.db, id, call)).toBe(true);
  await expect(callFromOldSnapshot(database.db, call)).rejects.toThrow('repeatable read');
});
