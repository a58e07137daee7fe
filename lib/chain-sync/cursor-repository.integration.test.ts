import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { emptyTables } from '@/testing/empty-tables';
import { makeCursor } from '@/testing/factories';
import { makeBlocks } from '@/testing/made-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { keepBlocks, listBlocks } from './block-repository';
import { moveCursorBack, noteHead, setPause } from './cursor-repository';
import { type Lease, LeaseLostError } from './lease';
import { takeLease } from './lease-keeper';

const HEAD = { height: 1000n, hash: '0xhead', time: new Date(), finalizedHeight: null };

let database: TestDatabase;
let lease: Lease;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyTables(database.db.pool);
  await database.db.pool.query('TRUNCATE watcher_outage');
  await makeCursor(database.db.pool);
  await makeCursor(database.db.pool, { chain: 'bsc' });
  lease = await newLease();
});

async function newLease(): Promise<Lease> {
  const { pool } = database.db;
  await pool.query(`UPDATE chain_cursor SET lease_expires_at = now() WHERE chain = 'ethereum'`);
  const taken = await takeLease(database.db, { chain: 'ethereum', owner: 'test', ttlMs: 60_000, confirmations: 2 });
  if (!taken) throw new Error('no lease');
  return taken;
}

const query = async (text: string) => (await database.db.pool.query(text)).rows;
const look = (by: Lease) => noteHead(database.db.pool, by, HEAD, 'EVM');
const nobodyLookedFor = (time: string) => query(`UPDATE chain_cursor SET looked_at = now() - interval '${time}'`);
const outages = () =>
  query('SELECT chain, round(extract(epoch FROM ended_at - started_at))::int AS seconds FROM watcher_outage');
const pauseOf = async (chain = 'ethereum') =>
  (await query(`SELECT paused_reason AS reason FROM chain_cursor WHERE chain = '${chain}'`))[0]?.reason;

describe('an outage', () => {
  test('is the time in which nobody looked at the node, of this chain alone, kept once', async () => {
    await nobodyLookedFor('5 minutes');
    await look(lease);
    await look(lease);
    expect(await outages()).toEqual([{ chain: 'ethereum', seconds: 300 }]);
  });

  test('is none when the looks were less than a minute apart', async () => {
    await nobodyLookedFor('50 seconds');
    await look(lease);
    expect(await outages()).toEqual([]);
  });

  test('is none before the first start: no block was to be read', async () => {
    await query('UPDATE chain_cursor SET height = NULL, hash = NULL, chain_time = NULL');
    await nobodyLookedFor('5 minutes');
    await look(lease);
    expect(await outages()).toEqual([]);
  });

  test('is not written under a lease that was lost, and neither is the head', async () => {
    const old = lease;
    lease = await newLease();
    await nobodyLookedFor('5 minutes');
    await expect(look(old)).rejects.toThrow(LeaseLostError);
    expect(await outages()).toEqual([]);
    expect(await query('SELECT DISTINCT head_height::int AS head FROM chain_cursor')).toEqual([{ head: 100 }]);
  });
});

describe('a pause', () => {
  test("of the watcher's own follows the node and ends by itself, on this chain alone", async () => {
    await setPause(database.db.pool, lease, 'head_lower');
    await setPause(database.db.pool, lease, 'foreign_chain');
    expect([await pauseOf(), await pauseOf('bsc')]).toEqual(['foreign_chain', null]);
    await setPause(database.db.pool, lease, null);
    expect(await pauseOf()).toBeNull();
  });

  test("of an operator stays, whatever the watcher finds, and whether the node's chain is known again", async () => {
    await query(`UPDATE chain_cursor SET paused_reason = 'maintenance'`);
    await setPause(database.db.pool, lease, 'foreign_chain');
    await setPause(database.db.pool, lease, null);
    expect(await pauseOf()).toBe('maintenance');
  });

  test('is not set, and not ended, under a lease that was lost', async () => {
    const old = lease;
    lease = await newLease();
    await expect(setPause(database.db.pool, old, 'foreign_chain')).rejects.toThrow(LeaseLostError);
    expect(await pauseOf()).toBeNull();
  });
});

describe('a roll-back', () => {
  test('forgets the blocks above its fork, of its chain alone, and tells its own blocks alone', async () => {
    const { pool } = database.db;
    await pool.query('TRUNCATE chain_block');
    for (const chain of ['ethereum', 'bsc'] as const) await keepBlocks(pool, chain, makeBlocks(98, 105));
    const [fork] = makeBlocks(101, 101);
    if (!fork) throw new Error('no block');
    await moveCursorBack(pool, lease, fork, { confirmedHeight: 100n, branchHeight: null });
    const heights = async (chain: 'ethereum' | 'bsc') => (await listBlocks(pool, chain)).map(({ height }) => height);
    expect(await heights('ethereum')).toEqual([98n, 99n, 100n, 101n]);
    expect(await heights('bsc')).toEqual([98n, 99n, 100n, 101n, 102n, 103n, 104n, 105n]);
    expect(await query('SELECT height, hash FROM chain_cursor ORDER BY chain')).toEqual([
      { height: 101n, hash: fork.hash },
      { height: 100n, hash: '0xhead' },
    ]);
  });
});

describe('a lease', () => {
  test('is taken by nobody else while it lasts, and its successor has a greater token', async () => {
    const request = { chain: 'ethereum', owner: 'other', ttlMs: 60_000, confirmations: 3 } as const;
    expect(await takeLease(database.db, request)).toBeNull();
    const next = await newLease();
    expect(next.token).toBe(lease.token + 1n);
  });

  test('of one chain is none of another', async () => {
    await takeLease(database.db, { chain: 'bsc', owner: 'other', ttlMs: 60_000, confirmations: 3 });
    const rows = await query(`SELECT lease_owner AS owner, confirmations FROM chain_cursor ORDER BY chain`);
    expect(rows).toEqual([
      { owner: 'test', confirmations: 2 },
      { owner: 'other', confirmations: 3 },
    ]);
  });
});
