import { withoutSecrets } from '@/lib/config/foreign-secrets';
import type { Role } from '@/lib/config/roles';
import { runTool } from './processes/run-tool';

type Target = {
  /** Folder of the project. */
  root: string;
  /** Connection of the owner, who may create roles. */
  ownerUrl: string;
  /** Password that each login role gets. */
  rolePasswords: Record<Role, string>;
  signal?: AbortSignal;
};

/**
 * Brings a database to the newest schema and gives the login roles their passwords: `npm run migrate` as a function.
 *
 * @throws {Error} with the program's output when it fails
 */
export async function migrateDatabase({ root, ownerUrl, rolePasswords, signal }: Target): Promise<void> {
  const env = {
    ...withoutSecrets(process.env),
    INCASSA_MODE: 'embedded',
    DATABASE_URL: ownerUrl,
    DATABASE_DIRECT_URL: ownerUrl,
    WEB_DB_PASSWORD: rolePasswords.web,
    WATCHER_DB_PASSWORD: rolePasswords.watcher,
    DISPATCHER_DB_PASSWORD: rolePasswords.dispatcher,
    SIGNER_DB_PASSWORD: rolePasswords.signer,
  };
  await runTool({ name: 'The migration', root, program: ['prisma/migrate.ts'], env, ...(signal ? { signal } : {}) });
}
