import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Role } from '@/lib/config/roles';
import { migrateDatabase } from '@/starter/migrate-database';
import { startEmbeddedPostgres } from '@/starter/postgres/embedded-postgres';

export interface BenchDatabase {
  ownerUrl: string;
  superuserUrl: string;
  roleUrl(role: Role): string;
  stop(): Promise<void>;
}

/** A migrated Postgres of its own, as durable as the product's, in a temporary folder. */
export async function startBenchDatabase(): Promise<BenchDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'incassa-bench-'));
  const secret = () => randomBytes(18).toString('base64url');
  const postgres = await startEmbeddedPostgres({
    dataDir: join(folder, 'postgres'),
    durable: true,
    log: () => undefined,
  });
  const rolePasswords = { web: secret(), watcher: secret(), dispatcher: secret(), signer: secret() };
  await migrateDatabase({ root: process.cwd(), ownerUrl: postgres.ownerUrl, rolePasswords });
  return {
    ownerUrl: postgres.ownerUrl,
    superuserUrl: postgres.superuserUrl,
    roleUrl: (role) =>
      Object.assign(new URL(postgres.ownerUrl), { username: `incassa_${role}`, password: rolePasswords[role] }).href,
    stop: async () => {
      await postgres.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
