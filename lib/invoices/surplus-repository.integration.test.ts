import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { leastToldUnits } from '@/lib/shared/money';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { selectUntold } from './surplus-repository';

const LEAST = leastToldUnits('ETH');

let database: TestDatabase;
let userId: number;

beforeAll(async () => {
  database = await createTestDatabase();
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
  const inBnb = await withSurplus(LEAST, 0n, 'BNB');
  expect(await untold()).toEqual([]);
  const { poolAddressId } = await makeInvoice(database.db.pool, { userId });
  await makeWallet(database.db.pool, { poolAddressId, userId, coin: 'BNB' });
  expect((await selectUntold(database.db.pool, 'BNB', 10)).map(({ id }) => id)).not.toContain(inBnb.id);
});
