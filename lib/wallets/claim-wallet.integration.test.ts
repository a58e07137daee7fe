import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeCursor, makePool, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const TAKEN = 1_500;
const FREE = 20_000;
/** What a claim may read of a table and its indexes: a few rows, whatever was there before. */
const FEW = 12;

describe('a claim of an address', () => {
  let test: TestDatabase;
  let client: pg.PoolClient;
  let userId: number;

  beforeEach(async () => {
    test = await createTestDatabase();
    userId = (await makeUser(test.db.pool)).id;
    await makeCursor(test.db.pool);
    await makePool(test.db.pool, { count: 1 });
    await test.db.pool.query(
      `INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation)
       SELECT watch_key_id, family, purpose, n, 'made-' || n, generation FROM pool_address, generate_series(1, $1) n`,
      [TAKEN + FREE],
    );
    client = await test.db.pool.connect();
    await claimSome();
  });
  afterEach(async () => {
    client.release();
    await test.drop();
  });

  /** As a process that has claimed before: its plans are made. */
  async function claimSome(): Promise<void> {
    for (let count = 0; count < 10; count++) await claim(client);
  }

  const claim = async (sql: Pick<pg.PoolClient, 'query'>) =>
    (await sql.query(`SELECT id, address FROM claim_wallet($1, 'ETH', 'invoice')`, [userId])).rows[0];

  /** Rows and index entries of a table that one claim reads. */
  async function rowsRead(table: 'wallet' | 'pool_address'): Promise<number> {
    const soFar = async () => {
      const { rows } = await client.query(
        `SELECT sum(pg_stat_get_xact_tuples_returned(o) + pg_stat_get_xact_tuples_fetched(o))::int AS rows
         FROM (SELECT $1::regclass::oid UNION SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass) AS t (o)`,
        [table],
      );
      return rows[0].rows as number;
    };
    await client.query('BEGIN');
    const before = await soFar();
    const claimed = await claim(client);
    const read = (await soFar()) - before;
    await client.query('COMMIT');
    expect(claimed).toBeDefined();
    return read;
  }

  it('reads few wallets, however many there are', async () => {
    await test.db.pool.query(
      `WITH taken AS (UPDATE pool_address SET claimed_at = now() WHERE claimed_at IS NULL AND derivation_index <= $2
         RETURNING id, address)
       INSERT INTO wallet (user_id, coin, type, pool_address_id, address) SELECT $1, 'ETH', 'invoice', id, address FROM taken`,
      [userId, TAKEN],
    );
    // As autovacuum does within a minute.
    await test.db.pool.query('ANALYZE');
    await claimSome();
    expect(await rowsRead('wallet')).toBeLessThan(FEW);
  });

  it('passes over none that were taken, also while a long statement keeps what they were', async () => {
    const reader = await test.db.pool.connect();
    try {
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
      await reader.query('SELECT count(*) FROM pool_address');
      await test.db.pool.query('UPDATE pool_address SET claimed_at = now() WHERE derivation_index <= $1', [TAKEN]);
      expect(await rowsRead('pool_address')).toBeLessThan(FEW);
    } finally {
      reader.release(true);
    }
  });

  it('takes one that stayed free before the last one taken, when no other is free', async () => {
    const { rows } = await test.db.pool.query(
      `UPDATE pool_address SET claimed_at = now() WHERE claimed_at IS NULL AND derivation_index <> 20 RETURNING id`,
    );
    expect(rows.length).toBeGreaterThan(TAKEN);
    expect(await claim(client)).toMatchObject({ address: 'made-20' });
    expect(await claim(client)).toBeUndefined();
  });

  it('of many at once ends with each free address given away once, wherever it lies', async () => {
    await test.db.pool.query('UPDATE pool_address SET claimed_at = now() WHERE derivation_index % 3000 <> 0');
    const taken = await Promise.all(Array.from({ length: 12 }, () => claim(test.db.pool)));
    const addresses = taken.flatMap((wallet) => (wallet ? [wallet.address] : []));
    expect(new Set(addresses).size).toBe(7);
    expect(addresses).toHaveLength(7);
  });
});
