import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Sql } from '@/lib/db/database';
import { knownStatements } from '@/lib/db/statement';
import { TABLES } from '@/lib/db/tables';
import { transaction } from '@/lib/db/transaction';
import { selectExpirable } from '@/lib/invoices/expiry-repository';
import { makeCursor, makeRate } from './factories';
import { fillTables, type LargeTables } from './large-tables';
import { settleDoor } from './settle-door';
import { createTestDatabase, type TestDatabase } from './test-database';

const ROOT = resolve(import.meta.dirname, '..');
const isGrowing = (table: string) => table in TABLES && TABLES[table as keyof typeof TABLES].kept !== 'bounded';

/** Merchants and keys are few, and what is consumed is short. */
const SHORT = new Set([
  'user_account',
  'api_key',
  'settlement_task',
  'deposit_attribution',
  'api_key_audit',
  'pool_restore',
  'pool_burn',
  'settlement_failure',
  'rescan',
]);

/** Statements that read a whole table on purpose, each with the reason. */
const WHOLE: Record<string, string> = {
  'deposits.compare-bookings': 'the comparison of all books, which nobody waits for',
  'ledger.compare-balances': 'the same',
  'ledger.compare-entries': 'the same',
  'ledger.compare-totals': 'the same',
  'reconciliation.audited-invoices': 'the same',
  'invoices.untold-surpluses': 'goes through all unexplained money, which is little',
  // One merchant has nearly all that there is here: what reads all of a merchant's rows reads the table.

  ...Object.fromEntries(
    ['amount_eur_cents', 'created_at', 'expires_at'].flatMap((column) =>
      ['ASC', 'DESC'].map((direction) => [
        `invoices.page.by-${column}-${direction}`,
        'sorts the invoices of one merchant',
      ]),
    ),
  ),
  'invoices.count': 'searches the words of all invoices of one merchant',
};

let database: TestDatabase;
let filled: LargeTables;

beforeAll(async () => {
  for (const name of await readdir(join(ROOT, 'lib'), { recursive: true }))
    if (/repository\.ts$/.test(name)) await import(/* @vite-ignore */ join(ROOT, 'lib', name));
  database = await createTestDatabase();
  filled = await fillTables(database.superuserUrl, { invoices: 20_000, addresses: 60_000 });
}, 120_000);
afterAll(() => database.drop());

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Actual Rows'?: number;
  'Rows Removed by Filter'?: number;
  Plans?: PlanNode[];
}

/** Growing tables that a statement reads from end to end, as it is planned without knowing its parameters. */
async function wholeTables(text: string): Promise<string[]> {
  const { rows } = await database.db.pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
  );
  const found = new Set<string>();
  const visit = (node: PlanNode): void => {
    const table = node['Relation Name'] ?? '';
    if (node['Node Type'].endsWith('Seq Scan') && isGrowing(table) && !SHORT.has(table)) found.add(table);
    node.Plans?.forEach(visit);
  };
  for (const { 'QUERY PLAN': plans } of rows) for (const { Plan } of plans) visit(Plan);
  return [...found];
}

test('no statement reads a growing table from end to end, but those that do so on purpose', async () => {
  const found: Record<string, string[]> = {};
  for (const { name, text } of knownStatements()) {
    const tables = await wholeTables(text);
    if (tables.length > 0) found[name] = tables;
  }
  expect(found).toEqual(Object.fromEntries(Object.keys(WHOLE).map((name) => [name, expect.any(Array)])));
  expect(await wholeTables('SELECT count(*) FROM invoice WHERE description = $1')).toEqual(['invoice']);
});

test('no function of the database does so either: an invoice is made, settled, noted and given its money by indexes', async () => {
  await makeCursor(database.db.pool);
  await makeRate(database.db.pool);
  const read = await transaction(database.db, async (sql) => {
    const call = async (text: string, ...values: unknown[]) => (await sql.query(text, values)).rows[0];
    const { merchantId, otherId, keyId } = filled;
    const made = await call(
      `SELECT id FROM create_invoice($1, $2, 'Borsa', NULL, 3118, 60, now(), 'ETH', 9998717932272191, 3118.4, now() - interval '1 hour')`,
      merchantId,
      keyId,
    );
    await call('SELECT id FROM create_primary_wallet($1, $2)', otherId, 'ETH');
    await sql.query(settleDoor({ id: Number(made?.id), state: 'unpaid' }));
    await call(`SELECT note_event($1, 'invoice.noted', now())`, Number(made?.id));
    await call('SELECT * FROM take_invoice_quota($1, now(), true, true, 10000, 300)', merchantId);
    const { rows } = await sql.query<{ table: string }>(
      `SELECT relname AS "table" FROM pg_stat_xact_user_tables WHERE seq_scan > 0 AND schemaname = 'public'`,
    );
    expect(made).toBeDefined();
    return rows.map(({ table }) => table);
  });
  expect(read.filter((table) => isGrowing(table) && !SHORT.has(table))).toEqual([]);
});

test('what looks for ends reads the invoices whose time is over, not all that are open', async () => {
  const { pool } = database.db;
  await makeCursor(pool);
  const { rows } = await pool.query<{ id: number }>(
    `UPDATE invoice SET expires_at = now() - interval '1 day' WHERE id = (SELECT min(id) FROM invoice WHERE status = 'pending') RETURNING id`,
  );
  // Beside the one, invoices that are open for years to come: they lie behind the end of what is read.
  const plan = await explained((sql) => selectExpirable(sql, { now: new Date(), limit: 200 }));
  const read = plan.filter((node) => node['Relation Name'] === 'invoice');
  expect(rows).toHaveLength(1);
  expect(read.map((node) => node['Actual Rows'])).toEqual([1, 0]);
  expect(
    read.every((node) => (node['Rows Removed by Filter'] ?? 0) === 0 && /expires_at/.test(node['Index Cond'] ?? '')),
  ).toBe(true);
});

/** What a repository's function runs, as it was planned and executed. @returns its nodes, outer ones first */
async function explained(run: (sql: Sql) => Promise<unknown>): Promise<PlanNode[]> {
  const nodes: PlanNode[] = [];
  const visit = (node: PlanNode): void => {
    nodes.push(node);
    node.Plans?.forEach(visit);
  };
  const query = async ({ text, values }: { text: string; values: unknown[] }) => {
    const { rows } = await database.db.pool.query({ text: `EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values });
    visit(rows[0]['QUERY PLAN'][0].Plan);
    return { rows: [], rowCount: 0 };
  };
  await run({ query } as unknown as Sql);
  return nodes;
}
