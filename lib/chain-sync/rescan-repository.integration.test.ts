import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { emptyTables } from '@/testing/empty-tables';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { makeBlocks } from '@/testing/made-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { keepBlocks } from './block-repository';
import { deleteOldOutages } from './outage-repository';
import {
  findRescan,
  insertRescan,
  noteRescanFault,
  noteRescanStep,
  type RescanRow,
  selectForeignBlock,
  selectNextRescan,
} from './rescan-repository';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  await emptyTables(database.db.pool);
  for (const chain of ['ethereum', 'bsc'] as const) await makeCursor(database.db.pool, { chain, height: 100n });
  await database.db.pool.query("UPDATE chain_cursor SET height = 500, epoch = 2 WHERE chain = 'bsc'");
});

const ask = (fromHeight: bigint, toHeight: bigint | null, chain: 'ethereum' | 'bsc' = 'ethereum') =>
  insertRescan(database.db.pool, { chain, fromHeight, toHeight, operator: 'anna' });

async function asked(...request: Parameters<typeof ask>): Promise<RescanRow> {
  const row = await ask(...request);
  if (!row) throw new Error('refused');
  return row;
}

test('a rescan goes as far as blocks were read on its chain, and is refused where none was or none is asked for', async () => {
  expect(await asked(90n, null)).toMatchObject({ epoch: 0, fromHeight: 90n, toHeight: 100n, nextHeight: 90n });
  expect(await asked(90n, 95n)).toMatchObject({ toHeight: 95n });
  expect(await asked(90n, 101n)).toMatchObject({ toHeight: 100n });
  expect(await asked(100n, 100n)).toMatchObject({ fromHeight: 100n, toHeight: 100n });
  expect(await asked(90n, null, 'bsc')).toMatchObject({ epoch: 2, toHeight: 500n });
  expect(await ask(101n, null)).toBeNull();
  expect(await ask(90n, 89n)).toBeNull();
});

test('the next one is the oldest that is not finished, of its chain and of the chain that is read now', async () => {
  const { pool } = database.db;
  const next = async () => (await selectNextRescan(pool, 'ethereum'))?.id ?? null;
  await asked(90n, null, 'bsc');
  const [first, second] = [await asked(90n, 91n), await asked(90n, 91n)];
  expect(await next()).toBe(first.id);
  await noteRescanFault(pool, first.id, 'no answer');
  expect(await next()).toBe(second.id);
  await noteRescanStep(pool, second.id, 92n, 0);
  expect(await next()).toBe(first.id);
  await pool.query("UPDATE chain_cursor SET epoch = 1 WHERE chain = 'ethereum'");
  expect(await next()).toBeNull();
});

test('a step says how far it came, what it found and whether that is all, of its own rescan', async () => {
  const { pool } = database.db;
  const [rescan, other] = [await asked(90n, 92n), await asked(90n, 92n)];
  await noteRescanFault(pool, rescan.id, 'no answer');
  await noteRescanStep(pool, rescan.id, 92n, 2);
  expect(await findRescan(pool, rescan.id)).toMatchObject({
    ...{ id: rescan.id, nextHeight: 92n, foundDeposits: 2, lastError: null, finishedAt: null },
  });
  await noteRescanStep(pool, rescan.id, 93n, 1);
  expect(await findRescan(pool, rescan.id)).toMatchObject({ foundDeposits: 3, finishedAt: expect.any(Date) });
  expect(await findRescan(pool, other.id)).toEqual(other);
});

test('the database refuses a rescan that goes back or beyond, and an outage that ends before it began', async () => {
  const { pool } = database.db;
  const { id } = await asked(90n, 92n);
  for (const columns of ['next_height = 89', 'next_height = 94', 'to_height = 89', 'finished_at = now()'])
    await expect(pool.query(`UPDATE rescan SET ${columns} WHERE id = ${id}`), columns).rejects.toThrow('rescan_range');
  const backwards =
    "INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ('ethereum', now(), now() - interval '1 s')";
  await expect(pool.query(backwards)).rejects.toThrow('watcher_outage_lasts');
});

test('a block is foreign when another one of its height was read on its chain', async () => {
  const { pool } = database.db;
  const blocks = makeBlocks(90, 92);
  await keepBlocks(pool, 'ethereum', blocks);
  await keepBlocks(pool, 'bsc', makeBlocks(90, 92, { branch: 'b' }));
  expect(await selectForeignBlock(pool, 'ethereum', blocks)).toBeNull();
  expect(await selectForeignBlock(pool, 'ethereum', [{ height: 91n, hash: '0xother' }])).toEqual({ height: 91n });
  expect(await selectForeignBlock(pool, 'ethereum', [{ height: 80n, hash: '0xother' }])).toBeNull();
});

test('an old outage goes when no invoice of its chain was open in it, to the moment', async () => {
  const { pool } = database.db;
  const { id: userId } = await makeUser(pool);
  const START = Date.parse('2026-11-01T12:00:00Z');
  const at = (seconds: number) => new Date(START + seconds * 1000);
  await pool.query(
    "INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ('ethereum', $1, $2), ('bsc', $1, $2)",
    [...[at(0), at(60)]],
  );
  const { id } = await makeInvoice(pool, { userId });
  /** Chains of which the outage went, for an invoice that was open in this time. Nothing of it stays. */
  const removed = async (from: number, to: number, before = at(61)) => {
    const gone: string[] = [];
    await transaction(database.db, async (sql) => {
      await sql.query('UPDATE invoice SET created_at = $2, expires_at = $3 WHERE id = $1', [id, at(from), at(to)]);
      await deleteOldOutages(sql, { before, limit: 10 });
      const { rows } = await sql.query<{ chain: string }>('SELECT chain FROM watcher_outage');
      gone.push(...['bsc', 'ethereum'].filter((chain) => rows.every((row) => row.chain !== chain)));
      throw new Error('given back');
    }).catch(() => undefined);
    return gone;
  };
  expect(await removed(10, 20)).toEqual(['bsc']);
  expect(await removed(-30, 1)).toEqual(['bsc']);
  expect(await removed(59, 90)).toEqual(['bsc']);
  expect(await removed(-30, 0)).toEqual(['bsc', 'ethereum']);
  expect(await removed(60, 90)).toEqual(['bsc', 'ethereum']);
  expect(await removed(-30, 0, at(60))).toEqual([]);
  expect(await deleteOldOutages(pool, { before: at(61), limit: 1 })).toBe(1);
});
