import type pg from 'pg';

/** A right of each role that its migrations gave it, and that it cannot work without. */
const PROBES = [
  ['incassa_web', 'invoice', 'SELECT'],
  ['incassa_watcher', 'chain_cursor', 'UPDATE'],
  ['incassa_dispatcher', 'webhook_delivery', 'UPDATE'],
  ['incassa_signer', 'instance_seed', 'UPDATE'],
  ['incassa_functions', 'invoice', 'INSERT'],
] as const;

/**
 * Refuses a database whose rights are not whole: a dump that was restored before the roles were there has lost what was granted
 * to them, and no migration grants it again.
 *
 * @param client a connection to the migrated database
 * @throws {Error} with one sentence that names what is wrong
 */
export async function checkRights(client: pg.Client): Promise<void> {
  const lacking: string[] = [];
  for (const [role, table, right] of PROBES) {
    const { rows } = await client.query<{ has: boolean }>('SELECT has_any_column_privilege($1, $2, $3) AS has', [
      role,
      table,
      right,
    ]);
    if (!rows[0]?.has) lacking.push(role);
  }
  if (lacking.length > 0)
    throw new Error(
      `The database has lost the rights of ${lacking.join(', ')}: restore the dump again, with the roles made before (docs/operations.md, Backups).`,
    );
  const open = await client.query<{ name: string }>(
    `SELECT proname AS name FROM pg_proc
     WHERE pronamespace = 'public'::regnamespace AND has_function_privilege('public', oid, 'EXECUTE') LIMIT 1`,
  );
  if (open.rows[0]) throw new Error(`Everybody may call ${open.rows[0].name}(): REVOKE EXECUTE on it FROM PUBLIC.`);
  await refuseTemporaryTables(client);
}

/** A login that may make temporary tables can put them before the product's: none may. */
async function refuseTemporaryTables(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ has: boolean; name: string }>(
    `SELECT has_database_privilege('incassa_web', current_database(), 'TEMPORARY') AS has, current_database() AS name`,
  );
  if (rows[0]?.has)
    throw new Error(
      `The logins may make temporary tables in ${rows[0].name}, which ${client.user} does not own: ALTER DATABASE "${rows[0].name}" OWNER TO ${client.user}, as a superuser, and run this again.`,
    );
}
