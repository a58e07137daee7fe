import type { Sql } from '@/lib/db/database';

/** Who may do what with an object: `web`, `table invoice`, `SELECT UPDATE(email,version)`. */
export type Rights = Record<string, Record<string, string>>;

/** Every right that somebody other than its owner has on an object of the schema, as Postgres' catalogs have it. */
const GRANTED = `
  WITH acl AS (
    SELECT CASE c.relkind WHEN 'S' THEN 'sequence ' ELSE 'table ' END || c.relname AS object, NULL AS column, c.relacl AS acl, c.relowner AS owner
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
    UNION ALL
    SELECT 'table ' || c.relname, a.attname, a.attacl, c.relowner
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND NOT a.attisdropped WHERE c.relnamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'function ' || p.proname, NULL, coalesce(p.proacl, acldefault('f', p.proowner)), p.proowner
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    UNION ALL
    SELECT 'schema ' || n.nspname, NULL, n.nspacl, n.nspowner FROM pg_namespace n WHERE n.nspname = 'public'
  ), granted AS (
    SELECT CASE WHEN e.grantee = 0 THEN 'PUBLIC' ELSE replace(g.rolname, 'incassa_', '') END AS role, acl.object, e.privilege_type AS right,
      string_agg(acl.column, ',' ORDER BY acl.column) AS columns
    FROM acl CROSS JOIN LATERAL aclexplode(acl.acl) e LEFT JOIN pg_roles g ON g.oid = e.grantee
    WHERE e.grantee <> acl.owner
    GROUP BY 1, 2, 3
  )
  SELECT role, object, string_agg(granted.right || coalesce('(' || columns || ')', ''), ' '
    ORDER BY array_position(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE'], granted.right), granted.right) AS rights
  FROM granted GROUP BY role, object ORDER BY role, object`;

/** Reads the rights of a database, by role and object. The owner of an object, who may do everything with it, is left out. */
export async function grantedRights(sql: Sql): Promise<Rights> {
  const { rows } = await sql.query<{ role: string; object: string; rights: string }>(GRANTED);
  const rights: Rights = {};
  for (const row of rows) rights[row.role] = { ...rights[row.role], [row.object]: row.rights };
  return rights;
}
