import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';
import type { Role } from '@/lib/config/roles';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';

const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost']);

export interface TestDatabase {
  /** A pool of the owner's connections. */
  db: Database;
  /** The owner's connection string. */
  url: string;
  /** Connection string of the cluster's superuser: for harm that no login of the product can do. */
  superuserUrl: string;
  /** Runs a query as the superuser, who alone sees what other logins do (`pg_stat_activity`). @returns its rows */
  asSuperuser(text: string): Promise<Record<string, unknown>[]>;
  /** Connection string of a process's login role, for what a role may and may not do. */
  roleUrl(role: Role): string;
  /** Closes the pool and removes the database, whoever is still connected. */
  drop(): Promise<void>;
}

/**
 * Creates a database of its own for a test file.
 *
 * @param options.template what it is a copy of: the migrated template, unless said otherwise (`template1` is empty)
 * @throws {Error} when the server is not on this machine: tests create and drop databases
 */
export async function createTestDatabase(options: { template?: string } = {}): Promise<TestDatabase> {
  const templateUrl = new URL(inject('templateUrl'));
  if (!LOOPBACK.has(templateUrl.hostname))
    throw new Error(`Tests run on loopback only, not on ${templateUrl.hostname}.`);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const { template = templateUrl.pathname.slice(1) } = options;
  const owner = decodeURIComponent(templateUrl.username);
  await onMaintenance(`CREATE DATABASE "${name}" TEMPLATE "${template}" OWNER "${owner}"`);
  const url = withLogin(templateUrl, { pathname: `/${name}` });
  const db = openDatabase(url, { max: 10, applicationName: name });
  const superuserUrl = withLogin(new URL(inject('superuserUrl')), { pathname: `/${name}` });
  return {
    db,
    url,
    superuserUrl,
    asSuperuser: (text) => runOnce(superuserUrl, text),
    roleUrl: (role) =>
      withLogin(templateUrl, {
        pathname: `/${name}`,
        username: `incassa_${role}`,
        password: inject('rolePasswords')[role],
      }),
    drop: async () => {
      await closeDatabase(db);
      await onMaintenance(`DROP DATABASE IF EXISTS "${name}" WITH (FORCE)`);
    },
  };
}

function withLogin(base: URL, parts: Partial<Pick<URL, 'pathname' | 'username' | 'password'>>): string {
  return Object.assign(new URL(base), parts).href;
}

async function onMaintenance(statement: string): Promise<void> {
  await runOnce(withLogin(new URL(inject('superuserUrl')), { pathname: '/postgres' }), statement);
}

async function runOnce(connectionString: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return (await client.query(text).finally(() => client.end())).rows;
}
