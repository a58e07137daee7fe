import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import type { TestDatabase } from '@/testing/test-database';

/** One database through the logins of those who use it. */
export interface ModelDatabases {
  /** Prepares and looks. */
  owner: Database;
  watcher: Database;
  web: Database;
  dispatcher: Database;
  close(): Promise<void>;
}

/** Opens a test database as each process does, so that what a role may not do fails. */
export function openModelDatabases(test: TestDatabase): ModelDatabases {
  const open = (role: 'watcher' | 'web' | 'dispatcher') =>
    openDatabase(test.roleUrl(role), { max: 4, applicationName: `model-${role}` });
  const roles = { watcher: open('watcher'), web: open('web'), dispatcher: open('dispatcher') };
  const close = async () => {
    await Promise.all(Object.values(roles).map(closeDatabase));
  };
  return { owner: test.db, ...roles, close };
}
