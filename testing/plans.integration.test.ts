import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { knownStatements } from '@/lib/db/statement';
import { TABLES } from '@/lib/db/tables';
import { fillTables } from './large-tables';
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
]);

/** Statements that read a whole table on purpose, each with the reason. */
const WHOLE: Record<string, string> = {};

let database: TestDatabase;

beforeAll(async () => {
  for (const name of await readdir(join(ROOT, 'lib'), { recursive: true }))
    if (/repository\.ts$/.test(name)) await import(/* @vite-ignore */ join(ROOT, 'lib', name));
  database = await createTestDatabase();
  await fillTables(database.superuserUrl, { invoices: 20_000, addresses: 60_000 });
}, 120_000);
afterAll(() => database.drop());

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
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
