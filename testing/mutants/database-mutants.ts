import type { Sql } from '@/lib/db/database';
import { MUTATED, type MutatedModule, NOT_MUTATED } from './modules';
import type { Mutant } from './mutant';
import { withoutCommands } from './sql-swaps';
import { mutationsOf } from './statement-mutants';

/** A function as Postgres would make it again. */
export interface StoredFunction {
  name: string;
  definition: string;
}

const BODY = /^AS \$function\$/m;

/** The module's functions, as they are after the last migration. @throws Error when one is not there */
export async function readFunctions(sql: Sql, { functions }: MutatedModule): Promise<StoredFunction[]> {
  const { rows } = await sql.query<StoredFunction>(
    `SELECT p.proname AS name, pg_get_functiondef(p.oid) AS definition FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.proname = ANY($1) ORDER BY 1`,
    [functions],
  );
  const missing = functions.filter((name) => rows.every((row) => row.name !== name));
  if (missing.length > 0)
    throw new Error(`The database has no function ${missing.join(', ')}: mend testing/mutants/modules.ts.`);
  return rows;
}

/** Functions that no module has, and that are not said to be none's. */
export async function strayFunctions(sql: Sql): Promise<string[]> {
  const known = [...NOT_MUTATED, ...Object.values(MUTATED).flatMap(({ functions }) => functions)];
  const { rows } = await sql.query<{ name: string }>(
    `SELECT DISTINCT p.proname AS name FROM pg_proc p
     WHERE p.pronamespace = 'public'::regnamespace AND p.proname <> ALL($1) ORDER BY 1`,
    [known],
  );
  return rows.map(({ name }) => name);
}

/** Mutants of functions: those of the SQL in their bodies, and each command left out. */
export function functionMutants(module: MutatedModule, functions: readonly StoredFunction[]): Mutant[] {
  return functions.flatMap(({ name, definition }) => {
    const begin = definition.search(BODY);
    const head = definition.slice(0, begin);
    const body = definition.slice(begin);
    return [...mutationsOf(body), ...withoutCommands(body)].map(({ fault, text }) => ({
      name: `${name}(): ${fault}`,
      module: module.name,
      change: { kind: 'database' as const, sql: head + text },
    }));
  });
}

interface Part {
  name: string;
  sql: string;
}

/** What of a module's tables can be left out: checks, triggers, unique keys and each column of them. */
const PARTS = `
  SELECT 'check ' || conname AS name, format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname) AS sql
  FROM pg_constraint WHERE contype = 'c' AND conrelid::regclass::text = ANY($1)
  UNION ALL
  SELECT 'trigger ' || tgname, format('DROP TRIGGER %I ON %s', tgname, tgrelid::regclass)
  FROM pg_trigger WHERE NOT tgisinternal AND tgrelid::regclass::text = ANY($1)
  UNION ALL
  SELECT 'unique key ' || i.indexrelid::regclass, format('DROP INDEX %s', i.indexrelid::regclass)
  FROM pg_index i WHERE i.indisunique AND NOT i.indisprimary AND i.indrelid::regclass::text = ANY($1)
  UNION ALL
  SELECT format('unique key %s without %s', i.indexrelid::regclass, a.attname),
    format('DROP INDEX %s; CREATE UNIQUE INDEX %1$s ON %s (%s)%s', i.indexrelid::regclass, i.indrelid::regclass,
      (SELECT string_agg(quote_ident(o.attname), ', ') FROM pg_attribute o
       WHERE o.attrelid = i.indrelid AND o.attnum = ANY(i.indkey) AND o.attnum <> a.attnum),
      coalesce(' WHERE ' || pg_get_expr(i.indpred, i.indrelid), ''))
  FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
  WHERE i.indisunique AND NOT i.indisprimary AND i.indnatts > 1 AND i.indexprs IS NULL AND i.indrelid::regclass::text = ANY($1)
  ORDER BY 1`;

/** Who may not write all of a table could. */
const GRANTS = `
  SELECT format('%s may write %s', r.rolname, c.relname) AS name,
    format('GRANT INSERT, UPDATE, DELETE ON %I TO %I', c.relname, r.rolname) AS sql
  FROM pg_class c, pg_roles r WHERE c.oid::regclass::text = ANY($1) AND r.rolname LIKE 'incassa\\_%'
    AND r.rolname NOT LIKE '%owner' AND NOT r.rolsuper
    AND NOT (SELECT bool_and(has_table_privilege(r.oid, c.oid, p)) FROM unnest(ARRAY['INSERT', 'UPDATE', 'DELETE']) p) ORDER BY 1`;

/** Mutants of a module's tables. */
export async function tableMutants(sql: Sql, { name: module, tables }: MutatedModule): Promise<Mutant[]> {
  const parts = [];
  for (const query of [PARTS, GRANTS]) parts.push(...(await sql.query<Part>(query, [tables])).rows);
  return parts.map((part) => ({ name: part.name, module, change: { kind: 'database' as const, sql: part.sql } }));
}
