import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import type { Role } from '@/lib/config/roles';
import { migrateDatabase } from '@/starter/migrate-database';
import { startEmbeddedPostgres } from '@/starter/postgres/embedded-postgres';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The owner's connection to the migrated database that every test database is copied from. */
    templateUrl: string;
    /** The superuser's connection to it: makes and removes databases, and does to them what no owner may. */
    superuserUrl: string;
    /** Passwords of the login roles `incassa_<role>`. */
    rolePasswords: Record<Role, string>;
    /** How the settlement model is run (vitest.config.ts). */
    model: { runs: number; seed: number | null };
  }
}

/**
 * Starts a Postgres for one test run in a temporary folder, creates the login roles and migrates the template.
 *
 * @returns what ends the server and removes the folder after the run
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'incassa-test-'));
  const log: string[] = [];
  const postgres = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    durable: false,
    log: (line) => log.push(line),
  });
  const tearDown = async () => {
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const rolePasswords = { web: secret(), watcher: secret(), dispatcher: secret(), signer: secret() };
  try {
    await migrateDatabase({ root: project.config.root, ownerUrl: postgres.ownerUrl, rolePasswords });
  } catch (error) {
    await tearDown();
    throw error;
  }
  project.provide('templateUrl', postgres.ownerUrl);
  project.provide('superuserUrl', postgres.superuserUrl);
  project.provide('rolePasswords', rolePasswords);
  return tearDown;
}

function secret(): string {
  return randomBytes(18).toString('base64url');
}
