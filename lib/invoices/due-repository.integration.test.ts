import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { Chain } from '@/lib/shared/chains';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { countFailing, forgetFailures, noteFailure, selectQueued, selectRetriable } from './due-repository';

let test: TestDatabase;
let first: MadeInvoice;
let second: MadeInvoice;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());
beforeEach(async () => {
  const { pool } = test.db;
  await emptyTables(pool);
  await pool.query('TRUNCATE settlement_failure');
  for (const chain of ['ethereum', 'bsc'] as const) await makeCursor(pool, { chain });
  const { id: userId } = await makeUser(pool);
  first = await makeInvoice(pool, { userId });
  second = await makeInvoice(pool, { userId });
});

const query = (text: string, values: unknown[] = []) => test.db.pool.query(text, values);
const task = ({ walletId }: MadeInvoice, chain: Chain = 'ethereum') =>
  query('INSERT INTO settlement_task (wallet_id, chain) VALUES ($1, $2)', [walletId, chain]);
/** @param wait until the next try, as SQL */
const fail = ({ id }: MadeInvoice, wait: string, sql: Sql = test.db.pool) =>
  sql.query(`INSERT INTO settlement_failure (invoice_id, attempts, next_try_at) VALUES ($1, 4, now() + ${wait})`, [id]);

describe('due by the queue of a chain', () => {
  const queued = async (chain: Chain = 'ethereum', except: number[] = [], sql: Sql = test.db.pool, limit = 10) =>
    (await selectQueued(sql, chain, { except, limit })).map(({ id, failures }) => [id, failures]);

  it('is every invoice with a task once, the one that waits longest first', async () => {
    for (const invoice of [second, first, second]) await task(invoice);
    expect(await queued()).toEqual([
      [second.id, 0],
      [first.id, 0],
    ]);
    expect(await queued('ethereum', [], test.db.pool, 1)).toEqual([[second.id, 0]]);
  });

  it('is no invoice of another chain, and none that the caller leaves out', async () => {
    await task(first);
    await task(second, 'bsc');
    expect(await queued()).toEqual([[first.id, 0]]);
    expect(await queued('bsc')).toEqual([[second.id, 0]]);
    expect(await queued('ethereum', [first.id])).toEqual([]);
  });

  it('is one that failed from the moment of its next try, and the failure of one keeps back no other', async () => {
    await task(first);
    await task(second);
    await fail(first, "interval '1 hour'");
    expect(await queued()).toEqual([[second.id, 0]]);
    await query('TRUNCATE settlement_failure');
    await transaction(test.db, async (sql) => {
      await fail(first, "interval '-1 ms'", sql);
      expect(await queued('ethereum', [], sql)).toEqual([
        [first.id, 4],
        [second.id, 0],
      ]);
    });
  });

  it('is none while a branch of its own chain is being read', async () => {
    await task(first);
    await query("UPDATE chain_cursor SET branch_height = 5 WHERE chain = 'bsc'");
    expect(await queued()).toEqual([[first.id, 0]]);
    await query("UPDATE chain_cursor SET branch_height = 5 WHERE chain = 'ethereum'");
    expect(await queued()).toEqual([]);
  });
});

describe('due for another try', () => {
  const retriable = async (sql: Sql = test.db.pool, limit = 10) =>
    (await selectRetriable(sql, limit)).map(({ id, failures }) => [id, failures]);

  it('is what failed, each from the moment of its own next try, the one that waits longest first', async () => {
    await fail(first, "interval '1 hour'");
    await transaction(test.db, async (sql) => {
      await fail(second, "interval '-1 ms'", sql);
      expect(await retriable(sql)).toEqual([[second.id, 4]]);
    });
    await query("UPDATE settlement_failure SET next_try_at = now() - interval '2 hours' WHERE invoice_id = $1", [
      first.id,
    ]);
    expect(await retriable()).toEqual([
      [first.id, 4],
      [second.id, 4],
    ]);
    expect(await retriable(test.db.pool, 1)).toEqual([[first.id, 4]]);
  });
});

it('a failure is counted and dated for its own invoice, and forgotten for those that can be settled again', async () => {
  const { pool } = test.db;
  const failures = async () =>
    (
      await query(`SELECT invoice_id AS id, attempts, round(extract(epoch FROM next_try_at - now()))::int AS "waitSeconds"
        FROM settlement_failure ORDER BY 1`)
    ).rows;
  await noteFailure(pool, first.id, 60);
  await noteFailure(pool, second.id, 60);
  await noteFailure(pool, first.id, 600);
  expect(await failures()).toEqual([
    { id: first.id, attempts: 2, waitSeconds: 600 },
    { id: second.id, attempts: 1, waitSeconds: 60 },
  ]);
  await forgetFailures(pool, [first.id]);
  expect((await failures()).map(({ id }) => id)).toEqual([second.id]);
  expect(await countFailing(pool)).toBe(1);
});

it('a failure puts an invoice off for an hour at most, whoever notes it, and is never of an invoice that is not there', async () => {
  const failures = (id: number) =>
    query("INSERT INTO settlement_failure (invoice_id, next_try_at) VALUES ($1, 'infinity')", [id]);
  await failures(first.id);
  await query("UPDATE settlement_failure SET next_try_at = '9999-01-01'");
  const { rows } = await query(
    `SELECT next_try_at <= now() + interval '61 minutes' AS bounded FROM settlement_failure`,
  );
  expect(rows).toEqual([{ bounded: true }]);
  await expect(failures(second.id + 1000)).rejects.toMatchObject({ constraint: 'settlement_failure_invoice_id_fkey' });
});
