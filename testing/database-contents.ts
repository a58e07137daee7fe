import type { Pool } from 'pg';

export type Row = Record<string, unknown>;
/** By table. */
export type Rows = Record<string, Row[]>;

/** They hold no facts: what was migrated, and what `npm run migrate` writes anew each time. */
const NOT_FACTS = ['_prisma_migrations', 'coin_rule'];

async function tables(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' AND NOT tablename = ANY($1) ORDER BY 1`,
    [NOT_FACTS],
  );
  return rows.map(({ name }) => name);
}

/** Every row of every table, as text where JSON would round. */
export async function everything(pool: Pool): Promise<Rows> {
  const all: Rows = {};
  for (const table of await tables(pool)) {
    const { rows } = await pool.query<{ row: string }>(`SELECT to_jsonb(t)::text AS row FROM "${table}" t ORDER BY t`);
    all[table] = rows.map(({ row }) => JSON.parse(row.replace(/: (-?\d{16,})/g, ': "$1"')));
  }
  return all;
}

/** What the schema consists of, but for the order of columns. */
export async function catalogue(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ line: string }>(
    `SELECT concat_ws(' ', 'column', table_name, column_name, udt_name, is_nullable, column_default) AS line
       FROM information_schema.columns WHERE table_schema = 'public'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace
     UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
     UNION ALL SELECT concat_ws(' ', grantee, privilege_type, table_name, column_name)
       FROM information_schema.column_privileges WHERE table_schema = 'public' AND grantee LIKE 'incassa%'
     UNION ALL SELECT concat_ws(' ', grantee, privilege_type, table_name)
       FROM information_schema.table_privileges WHERE table_schema = 'public' AND grantee LIKE 'incassa%'
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

/** The same rows in an order that does not hang on that of their columns. */
export const sorted = (all: Rows): Rows =>
  Object.fromEntries(
    Object.entries(all).map(([table, rows]) => [
      table,
      rows
        .map((row) => JSON.stringify(Object.fromEntries(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))))
        .sort()
        .map((text) => JSON.parse(text)),
    ]),
  );
