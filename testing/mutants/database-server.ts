import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import type { ProvidedContext } from 'vitest';
import { migrateDatabase } from '@/starter/migrate-database';
import { startEmbeddedPostgres } from '@/starter/postgres/embedded-postgres';

const PRISTINE = 'incassa_pristine';

/** What tests are given of a server (testing/global-setup.ts), as text in the environment. */
export type ProvidedServer = Pick<ProvidedContext, 'templateUrl' | 'superuserUrl' | 'rolePasswords'>;

/** One migrated server for many runs of tests, in whose template faults are planted. */
export interface MutantServer {
  provided: ProvidedServer;
  /** Makes the template anew, as it was migrated, and then runs SQL on it as its superuser. @throws Error when Postgres refuses */
  plant(sql: string | null): Promise<void>;
  stop(): Promise<void>;
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}

/** Starts and migrates a server in a temporary folder. */
export async function startMutantServer(root: string): Promise<MutantServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'incassa-mutants-'));
  const dataDir = path.join(folder, 'postgres');
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false, log: () => undefined });
  const stop = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const secret = () => randomBytes(18).toString('base64url');
  const rolePasswords = { web: secret(), watcher: secret(), dispatcher: secret(), signer: secret() };
  const { ownerUrl: templateUrl, superuserUrl } = postgres;
  const maintenance = Object.assign(new URL(superuserUrl), { pathname: '/postgres' }).href;
  const template = new URL(templateUrl).pathname.slice(1);
  const owner = decodeURIComponent(new URL(templateUrl).username);
  let isPristine = true;
  try {
    await migrateDatabase({ root, ownerUrl: templateUrl, rolePasswords });
    await run(maintenance, `CREATE DATABASE "${PRISTINE}" TEMPLATE "${template}" OWNER "${owner}"`);
    // Rights on a database are not copied with it.
    await run(maintenance, `REVOKE ALL ON DATABASE "${PRISTINE}" FROM PUBLIC`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    provided: { templateUrl, superuserUrl, rolePasswords },
    stop,
    plant: async (sql) => {
      if (!isPristine) {
        const rights = await rightsOn(maintenance, template);
        await run(maintenance, `DROP DATABASE "${template}" WITH (FORCE)`);
        await run(maintenance, `CREATE DATABASE "${template}" TEMPLATE "${PRISTINE}" OWNER "${owner}"`);
        for (const right of rights) await run(maintenance, right);
      }
      isPristine = sql === null;
      if (sql !== null) await run(superuserUrl, sql);
    },
  };
}

/** What gives a database the rights that it has now. */
async function rightsOn(maintenance: string, database: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: maintenance });
  await client.connect();
  const { rows } = await client
    .query<{ sql: string }>(
      `SELECT format('GRANT %s ON DATABASE %I TO %s', a.privilege_type, d.datname, coalesce(quote_ident(r.rolname), 'PUBLIC')) AS sql
       FROM pg_database d CROSS JOIN LATERAL aclexplode(coalesce(d.datacl, acldefault('d', d.datdba))) a
         LEFT JOIN pg_roles r ON r.oid = a.grantee WHERE d.datname = $1`,
      [database],
    )
    .finally(() => client.end());
  return [`REVOKE ALL ON DATABASE "${database}" FROM PUBLIC`, ...rows.map(({ sql }) => sql)];
}
