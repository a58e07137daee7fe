import pg from 'pg';
import { env } from '@/lib/config/env';
import { ensureFunctionsRole } from './functions-role';

const ROLES = [
  ['incassa_web', 'WEB_DB_PASSWORD'],
  ['incassa_watcher', 'WATCHER_DB_PASSWORD'],
  ['incassa_dispatcher', 'DISPATCHER_DB_PASSWORD'],
  ['incassa_signer', 'SIGNER_DB_PASSWORD'],
] as const;

/** PostgreSQL's SQLSTATE for what a login may not do. */
const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Makes the roles that the migrations grant to, and gives the logins their passwords. Roles are cluster-wide: made here, once,
 * outside the migrations. A login can change its own defaults (its `search_path`, say) for good: they are reset on every run.
 *
 * @param database the product's database
 * @throws {Error} with one sentence when the roles are somebody else's, as those are that a superuser made (PostgreSQL 16+)
 */
export async function ensureRoles(client: pg.Client, database: string): Promise<void> {
  try {
    for (const [role, variable] of ROLES) {
      const password = env()[variable];
      const known = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [role]);
      if (known.rowCount === 0) await client.query(`CREATE ROLE ${role} NOLOGIN`);
      if (password) await client.query(`ALTER ROLE ${role} LOGIN PASSWORD ${client.escapeLiteral(password)}`);
      await client.query(`ALTER ROLE ${role} RESET ALL`);
      await client.query(`ALTER ROLE ${role} IN DATABASE ${client.escapeIdentifier(database)} RESET ALL`);
    }
    await ensureFunctionsRole(client);
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.code !== INSUFFICIENT_PRIVILEGE) throw error;
    const names = [...ROLES.map(([role]) => role), 'incassa_functions'].join(', ');
    throw new Error(
      `${client.user} may not change the product's roles (${error.message}): it needs CREATEROLE, and for roles that somebody else made, as a superuser: GRANT ${names} TO ${client.user} WITH ADMIN OPTION`,
    );
  }
}
