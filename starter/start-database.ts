import path from 'node:path';
import type { Role } from '@/lib/config/roles';
import type { StarterContext } from './context';
import { migrateDatabase } from './migrate-database';
import { startEmbeddedPostgres } from './postgres/embedded-postgres';

/**
 * Starts the embedded database unless one is configured, and brings it to the newest schema.
 *
 * @returns the owner's connection
 */
export async function startDatabase(context: StarterContext, rolePasswords: Record<Role, string>): Promise<string> {
  const { settings, ports, services, print, root, signal } = context;
  let ownerUrl = settings.databaseUrl;
  if (ownerUrl === undefined) {
    await services.add('database', 'postgres', async () => {
      const postgres = await startEmbeddedPostgres({
        dataDir: path.join(settings.dataDir, 'postgres'),
        port: ports.postgres,
        durable: true,
        log: (line) => print('postgres', line),
      });
      ownerUrl = postgres.ownerUrl;
      return postgres;
    });
  }
  if (ownerUrl === undefined) throw new Error('the database has no address');
  signal.throwIfAborted();
  await migrateDatabase({ root, ownerUrl, rolePasswords, signal });
  return ownerUrl;
}
