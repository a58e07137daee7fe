import type { QueryConfig } from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '@/lib/db/database';
import { emptyTables } from '@/testing/empty-tables';
import { makePool } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { WatchedAddresses } from './watched-addresses';

const LEASE = { chain: 'ethereum', owner: 'test', token: 1n } as const;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => emptyTables(database.db.pool));

async function commit(generation: bigint): Promise<string> {
  const { pool } = database.db;
  const [address = ''] = await makePool(pool, { count: 1, generation });
  await pool.query(
    `INSERT INTO pool_generation VALUES ('EVM', $1) ON CONFLICT (family) DO UPDATE SET generation = $1`,
    [generation],
  );
  return address;
}

/** The same database, in which something happens right after the first read of addresses. */
function happeningAfterTheRows(happening: () => Promise<unknown>): Database {
  let isDone = false;
  const pool = new Proxy(database.db.pool, {
    get: (target, property) =>
      property !== 'query'
        ? Reflect.get(target, property)
        : async (query: QueryConfig) => {
            const result = await target.query(query);
            if (!isDone && /pool_address/.test(query.text)) {
              isDone = true;
              await happening();
            }
            return result;
          },
  });
  return { ...database.db, pool };
}

test('a generation that is committed while the addresses are read is not called loaded: its addresses come with the next load', async () => {
  const first = await commit(1n);
  let second = '';
  const db = happeningAfterTheRows(async () => {
    second = await commit(2n);
  });
  const addresses = new WatchedAddresses(db, LEASE);
  await addresses.load();
  expect(addresses.isWatched(first)).toBe(true);
  expect([addresses.generation, addresses.isWatched(second)]).toEqual([1n, false]);
  await addresses.load();
  expect([addresses.generation, addresses.isWatched(second)]).toEqual([2n, true]);
});

test('addresses of another family are not looked for, and its generations mean nothing here', async () => {
  const ours = await commit(1n);
  await database.db.pool.query(`UPDATE pool_address SET family = 'TON' WHERE address = $1`, [await commit(2n)]);
  await database.db.pool.query(`UPDATE pool_generation SET generation = 1 WHERE family = 'EVM'`);
  await database.db.pool.query(`INSERT INTO pool_generation VALUES ('TON', 7)`);
  const addresses = new WatchedAddresses(database.db, LEASE);
  await addresses.load();
  expect([...addresses.ids.keys()]).toEqual([ours]);
  expect(addresses.generation).toBe(1n);
});
