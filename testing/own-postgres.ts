import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Role } from '@/lib/config/roles';
import { migrateDatabase } from '@/starter/migrate-database';
import { startEmbeddedPostgres } from '@/starter/postgres/embedded-postgres';
import { freeze, thaw } from './freeze-process';

export interface OwnPostgres {
  /** The owner's connection string. */
  ownerUrl: string;
  /** Connection string of a process's login role. */
  roleUrl(role: Role): string;
  /** Stops every process of the server as it stands: connections stay open and nothing answers. */
  freeze(): void;
  /** Lets them go on. */
  thaw(): void;
  /** Ends the server; connections are refused from then on. */
  stop(): Promise<void>;
  /** Ends it, frozen or not, and removes its data. */
  remove(): Promise<void>;
}

/** Starts a migrated Postgres that a test may freeze and stop: nobody else uses it. Linux only (it looks into /proc). */
export async function startOwnPostgres(root: string): Promise<OwnPostgres> {
  const folder = mkdtempSync(path.join(tmpdir(), 'incassa-own-postgres-'));
  const server = await startEmbeddedPostgres({
    dataDir: path.join(folder, 'postgres'),
    durable: false,
    log: () => undefined,
  });
  const { ownerUrl } = server;
  const secret = () => randomBytes(18).toString('base64url');
  const rolePasswords = { web: secret(), watcher: secret(), dispatcher: secret(), signer: secret() };
  let isFrozen = false;
  const goOn = () => {
    if (isFrozen) thaw(server.pid);
    isFrozen = false;
  };
  const remove = async () => {
    goOn();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  await migrateDatabase({ root, ownerUrl, rolePasswords }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  return {
    ownerUrl,
    roleUrl: (role) =>
      Object.assign(new URL(ownerUrl), { username: `incassa_${role}`, password: rolePasswords[role] }).href,
    freeze: () => {
      isFrozen = true;
      freeze(server.pid);
    },
    thaw: goOn,
    stop: () => server.stop(),
    remove,
  };
}
