import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { takeTurn } from '@/prisma/migration-turn';
import { migrateDatabase } from '@/starter/migrate-database';
import { startEmbeddedPostgres } from '@/starter/postgres/embedded-postgres';

const rolePasswords = {
  web: 'w'.repeat(22),
  watcher: 'v'.repeat(22),
  dispatcher: 'd'.repeat(22),
  signer: 's'.repeat(22),
};
const ROLES = 'incassa_web, incassa_watcher, incassa_dispatcher, incassa_signer, incassa_functions';
const root = path.resolve(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'incassa-migrate-test-'));
let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>;
let superuser: pg.Client;

/** A cluster of its own: roles are the whole cluster's. */
beforeAll(async () => {
  postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    durable: false,
    log: () => undefined,
  });
  superuser = new pg.Client({ connectionString: postgres.superuserUrl });
  await superuser.connect();
}, 60_000);
afterAll(async () => {
  await superuser.end();
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
});

const migrate = (ownerUrl = postgres.ownerUrl) => migrateDatabase({ root, ownerUrl, rolePasswords });

test('roles that a superuser made: it says which right its owner needs, and works with it', async () => {
  for (const role of ROLES.split(', ')) await superuser.query(`CREATE ROLE ${role} NOLOGIN`);
  await expect(migrate()).rejects.toThrow(`GRANT ${ROLES} TO incassa_owner WITH ADMIN OPTION`);
  await superuser.query(`GRANT ${ROLES} TO incassa_owner WITH ADMIN OPTION`);
  await migrate();
}, 60_000);

test('a login’s own defaults are reset, and the role of the functions has no login', async () => {
  await superuser.query(`ALTER ROLE incassa_web SET search_path = 'pg_temp'`);
  await superuser.query(`ALTER ROLE incassa_signer IN DATABASE incassa SET search_path = 'pg_temp'`);
  await superuser.query('ALTER ROLE incassa_functions LOGIN');
  await migrate();
  expect((await superuser.query('SELECT * FROM pg_db_role_setting')).rows).toEqual([]);
  const { rows } = await superuser.query(`SELECT rolcanlogin FROM pg_roles WHERE rolname = 'incassa_functions'`);
  expect(rows).toEqual([{ rolcanlogin: false }]);
}, 60_000);

test('a database that is not its owner’s, where logins may make temporary tables, is refused', async () => {
  await superuser.query('ALTER DATABASE incassa OWNER TO incassa_cluster');
  await superuser.query('GRANT TEMPORARY ON DATABASE incassa TO PUBLIC');
  await expect(migrate()).rejects.toThrow('The logins may make temporary tables in incassa');
  await superuser.query('ALTER DATABASE incassa OWNER TO incassa_owner');
  await migrate();
}, 60_000);

test('a database that lost the rights of a login, or lets everybody call a function, is refused', async () => {
  await superuser.query('REVOKE ALL ON ALL TABLES IN SCHEMA public FROM incassa_dispatcher');
  await expect(migrate()).rejects.toThrow('The database has lost the rights of incassa_dispatcher');
  await superuser.query('GRANT UPDATE (status) ON webhook_delivery TO incassa_dispatcher');
  await superuser.query('GRANT EXECUTE ON FUNCTION settle_invoices TO PUBLIC');
  await expect(migrate()).rejects.toThrow('Everybody may call settle_invoices()');
}, 60_000);

test('a migration that waits too long for another says so', async () => {
  const other = new pg.Client({ connectionString: postgres.superuserUrl });
  await other.connect();
  try {
    await takeTurn(other, 1);
    await expect(takeTurn(superuser, 1)).rejects.toThrow('Another migration, or somebody else');
  } finally {
    await other.end();
  }
});
