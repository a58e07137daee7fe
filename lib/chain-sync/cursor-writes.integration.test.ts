import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { Chain } from '@/lib/shared/chains';
import { emptyTables } from '@/testing/empty-tables';
import { makeCursor, makePool } from '@/testing/factories';
import { makeBlocks } from '@/testing/made-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { keepBlocks, listBlocks } from './block-repository';
import {
  advanceCursor,
  endBranch,
  lockCursor,
  moveCursorBack,
  noteHead,
  noteProgress,
  placeCursor,
  setFinality,
  setPause,
} from './cursor-repository';
import { type Lease, LeaseLostError } from './lease';
import { extendLease, takeFreeLease } from './lease-repository';
import { selectProgress } from './progress-repository';
import { listPoolAddresses, readPoolGeneration, setLoadedGeneration } from './watched-repository';

const TIME = new Date('2026-11-28T12:00:00Z');
const FINALITY = { finalizedHeight: 41n, confirmedHeight: 42n };
const HEAD = { height: 900n, hash: '0xhead', time: TIME, finalizedHeight: null };
const BLOCKS = makeBlocks(101, 104);
const [LAST] = BLOCKS.slice(-1);

let database: TestDatabase;
let lease: Lease;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database.db;
  await emptyTables(pool);
  for (const chain of ['ethereum', 'bsc'] as const) await makeCursor(pool, { chain });
  await pool.query(`UPDATE chain_cursor SET lease_token = 7, lease_owner = 'test', branch_height = 150, unread_since = now(),
    paused_reason = 'head_lower', looked_at = now() - interval '10 s', finalized_height = 90, lease_expires_at = now() - interval '1 ms'`);
  lease = { chain: 'ethereum', token: 7n, owner: 'test' };
});

type Stored = Record<string, unknown>;

const bigints = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

const cursors = async (): Promise<Record<string, Stored>> => {
  const { rows } = await database.db.pool.query<Stored & { chain: string }>('SELECT * FROM chain_cursor');
  return Object.fromEntries(rows.map((row) => [row.chain, row]));
};

/** What a write changed of its own chain's cursor. @throws when another's changed */
async function changedBy(write: (sql: Sql) => Promise<unknown>): Promise<Stored> {
  const before = await cursors();
  await write(database.db.pool);
  const { ethereum = {}, ...others } = await cursors();
  expect(others).toEqual({ bsc: before.bsc });
  return Object.fromEntries(
    Object.entries(ethereum).filter(([key, value]) => {
      const was = before.ethereum?.[key];
      return JSON.stringify(value, bigints) !== JSON.stringify(was, bigints);
    }),
  );
}

const WRITES: [string, (sql: Sql, by: Lease) => Promise<unknown>, Stored][] = [
  [
    'a look',
    (sql, by) => noteHead(sql, by, HEAD, 'EVM'),
    { head_height: 900n, head_time: TIME, looked_at: expect.any(Date) },
  ],
  [
    'progress',
    (sql, by) => noteProgress(sql, by, { unreadSince: TIME, followedUntil: TIME }),
    { unread_since: TIME, updated_at: TIME },
  ],
  [
    'a place',
    (sql, by) =>
      placeCursor(sql, by, {
        ...{
          ...FINALITY,
          genesisHash: '0xother',
          epoch: 3,
          height: 51n,
          hash: '0x51',
          chainTime: TIME,
          headHeight: 60n,
        },
      }),
    {
      ...{ genesis_hash: '0xother', epoch: 3, height: 51n, hash: '0x51', chain_time: TIME, head_height: 60n },
      ...{ finalized_height: 41n, confirmed_height: 42n, paused_reason: null, branch_height: null, unread_since: null },
    },
  ],
  [
    'the way back',
    (sql, by) =>
      moveCursorBack(
        sql,
        by,
        { height: 80n, hash: '0x80', chainTime: TIME },
        { confirmedHeight: 79n, branchHeight: 160n },
      ),
    { height: 80n, hash: '0x80', chain_time: TIME, confirmed_height: 79n, branch_height: 160n },
  ],
  ['the end of a branch', (sql, by) => endBranch(sql, by), { branch_height: null }],
  ['what counts', (sql, by) => setFinality(sql, by, FINALITY), { finalized_height: 41n, confirmed_height: 42n }],
  ['a pause', (sql, by) => setPause(sql, by, 'foreign_chain'), { paused_reason: 'foreign_chain' }],
  ['its addresses', (sql, by) => setLoadedGeneration(sql, by, 5n), { loaded_generation: 5n }],
  ['blocks', advance({ head: 900n }), { ...moved(), head_height: 900n, branch_height: 150n }],
];

function advance({ head }: { head: bigint }) {
  return (sql: Sql, by: Lease) => {
    if (!LAST) throw new Error('no block');
    const to = { blocks: BLOCKS, last: LAST, head: { ...HEAD, height: head }, finality: FINALITY, keptBlocks: 5 };
    return advanceCursor(sql, by, to);
  };
}

function moved(): Stored {
  const { height, hash, chainTime } = LAST ?? {};
  const finality = { finalized_height: 41n, confirmed_height: 42n };
  return { height, hash, chain_time: chainTime, ...finality, paused_reason: null };
}

describe('what is written to a cursor', () => {
  test.each(WRITES)('%s changes that, of its own chain alone', async (_, write, changes) => {
    const done = await changedBy((sql) => write(sql, lease));
    // What reading a branch goes on with did not change.
    const { branch_height: branch, ...others } = changes;
    expect(done).toEqual(branch === 150n ? others : changes);
  });

  test.each(WRITES)('%s changes nothing under a lease that was lost', async (_, write) => {
    const old = { ...lease, token: 6n };
    expect(await changedBy((sql) => write(sql, old).catch(() => undefined))).toEqual({});
  });

  test('a look that nobody took for a while leaves an outage of its own chain alone', async () => {
    await database.db.pool.query(
      "TRUNCATE watcher_outage; UPDATE chain_cursor SET looked_at = now() - interval '5 minutes'",
    );
    await noteHead(database.db.pool, lease, HEAD, 'EVM');
    const { rows } = await database.db.pool.query('SELECT chain FROM watcher_outage');
    expect(rows).toEqual([{ chain: 'ethereum' }]);
  });

  test('a branch ends with its last block, or with the head when that is lower', async () => {
    const branchAt = async (branch: number, head: bigint) => {
      await database.db.pool.query('UPDATE chain_cursor SET branch_height = $1', [branch]);
      await advance({ head })(database.db.pool, lease);
      return (await cursors()).ethereum?.branch_height;
    };
    expect(await branchAt(105, 900n)).toBe(105n);
    expect(await branchAt(104, 900n)).toBe(null);
    expect(await branchAt(900, 105n)).toBe(900n);
    expect(await branchAt(900, 104n)).toBe(null);
  });

  test('is read under its own lease, and kept from everybody else until then', async () => {
    for (const chain of ['ethereum', 'bsc'] as const)
      expect(await lockCursor(database.db.pool, { ...lease, chain })).toMatchObject({ chain, height: 100n });
    await expect(lockCursor(database.db.pool, { ...lease, token: 6n })).rejects.toThrow(LeaseLostError);
    await transaction(database.db, async (sql) => {
      await lockCursor(sql, lease);
      const { rows } = await database.db.pool.query('SELECT chain FROM chain_cursor FOR UPDATE SKIP LOCKED');
      expect(rows).toEqual([{ chain: 'bsc' }]);
    });
  });

  test('is told for metrics once a chain was read', async () => {
    await database.db.pool.query("UPDATE chain_cursor SET height = NULL WHERE chain = 'bsc'");
    expect((await selectProgress(database.db.pool)).map(({ chain }) => chain)).toEqual(['ethereum']);
  });
});

describe('blocks that are kept', () => {
  const TOLD = BLOCKS.map(({ height, hash, chainTime }) => ({ height, hash, chainTime }));

  test('take the place of those of their heights, whole, on their chain alone', async () => {
    const { pool } = database.db;
    const others = BLOCKS.map((block) => ({ ...block, hash: '0xold', parentHash: '0xold', chainTime: TIME }));
    for (const keep of [() => keepBlocks(pool, 'ethereum', BLOCKS), () => advance({ head: 900n })(pool, lease)]) {
      await keepBlocks(pool, 'ethereum', others);
      await keepBlocks(pool, 'bsc', others);
      await keep();
      const kept = await listBlocks(pool, 'ethereum');
      expect(kept).toEqual(TOLD.slice(-kept.length));
      expect(await listBlocks(pool, 'bsc')).toEqual(
        others.map(({ height, hash, chainTime }) => ({ height, hash, chainTime })),
      );
      const parents = await pool.query(
        "SELECT parent_hash AS hash FROM chain_block WHERE chain = 'ethereum' ORDER BY height DESC LIMIT 1",
      );
      expect(parents.rows).toEqual([{ hash: LAST?.parentHash }]);
    }
  });

  test('are as many as are to be kept: older ones go with the next block', async () => {
    const { pool } = database.db;
    for (const chain of ['ethereum', 'bsc'] as const) await keepBlocks(pool, chain, makeBlocks(98, 100));
    await advance({ head: 900n })(pool, lease);
    const heights = async (chain: Chain) => (await listBlocks(pool, chain)).map(({ height }) => height);
    expect(await heights('ethereum')).toEqual([100n, 101n, 102n, 103n, 104n]);
    expect(await heights('bsc')).toEqual([98n, 99n, 100n]);
  });
});

test('the pool of a family is told by its own generation, in pages of what is newer', async () => {
  const { pool } = database.db;
  for (const generation of [1n, 2n]) await makePool(pool, { count: 2, generation });
  await pool.query("INSERT INTO pool_generation (family, generation) VALUES ('EVM', 2), ('TON', 9)");
  expect([await readPoolGeneration(pool, 'EVM'), await readPoolGeneration(pool, 'TON')]).toEqual([2n, 9n]);
  expect(await noteHead(pool, lease, HEAD, 'EVM')).toMatchObject({ poolGeneration: 2n });
  const page = (generation: bigint, afterId: bigint) =>
    listPoolAddresses(pool, { family: 'EVM', generation, afterId, limit: 10 });
  const all = await page(0n, 0n);
  expect(all).toHaveLength(4);
  expect(await page(1n, 0n)).toEqual(all.slice(2));
  expect(await page(0n, all[0]?.id ?? 0n)).toEqual(all.slice(1));
});

describe('a lease', () => {
  const request = { chain: 'ethereum', owner: 'next', ttlMs: 60_000, confirmations: 5 } as const;
  const seconds = async () =>
    (
      await database.db.pool.query(
        'SELECT chain, round(extract(epoch FROM lease_expires_at - now()))::int AS seconds FROM chain_cursor ORDER BY chain::text',
      )
    ).rows;

  test('that is free or over is taken, of its chain alone', async () => {
    const taken = { lease_token: 8n, lease_owner: 'next', confirmations: 5, lease_expires_at: expect.any(Date) };
    expect(await changedBy((sql) => takeFreeLease(sql, request))).toEqual(taken);
    expect(await seconds()).toEqual([
      { chain: 'bsc', seconds: 0 },
      { chain: 'ethereum', seconds: 60 },
    ]);
    expect(await takeFreeLease(database.db.pool, request)).toBeNull();
    await database.db.pool.query('UPDATE chain_cursor SET lease_expires_at = NULL');
    expect(await takeFreeLease(database.db.pool, request)).toBe(9n);
  });

  test('is extended by who holds it, on its chain alone', async () => {
    expect(await extendLease(database.db.pool, lease, 30_000)).toBe(true);
    expect(await seconds()).toEqual([
      { chain: 'bsc', seconds: 0 },
      { chain: 'ethereum', seconds: 30 },
    ]);
    expect(await extendLease(database.db.pool, { ...lease, token: 6n }, 90_000)).toBe(false);
    expect((await seconds())[1]).toEqual({ chain: 'ethereum', seconds: 30 });
  });
});
