import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await makeCursor(database.db.pool);
});
afterAll(() => database.drop());

test('an invoice is priced whole or not at all, at an amount from a cent to a million euros', async () => {
  const { pool } = database.db;
  const { id: userId } = await makeUser(pool);
  const { id, poolAddressId } = await makeInvoice(pool, { userId });
  const insert = (cents: number) =>
    pool.query(
      'INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at) VALUES ($1, $2, 60, now())',
      [userId, cents],
    );
  await insert(1);
  await insert(100_000_000);
  for (const cents of [0, 100_000_001])
    await expect(insert(cents)).rejects.toMatchObject({ constraint: 'invoice_amount_in_range' });
  const whole = (text: string) =>
    expect(
      pool.query(
        `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at, coin, chain, amount_units, rate, wallet_id,
           chain_epoch) SELECT user_id, 100, 60, expires_at, ${text} FROM invoice WHERE id = $1`,
        [id],
      ),
    ).rejects.toMatchObject({ constraint: 'invoice_coin_whole' });
  const wallet = (await makeWallet(pool, { poolAddressId, userId, coin: 'BNB' })).id;
  await whole(`coin, chain, amount_units, rate, NULL, chain_epoch`);
  await whole(`coin, chain, 0, rate, ${wallet}, chain_epoch`);
  await whole(`coin, chain, amount_units, 0, ${wallet}, chain_epoch`);
});
