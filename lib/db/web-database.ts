import { databaseUrl, env } from '@/lib/config/env';
import { processSingleton } from '@/lib/shared/process-singleton';
import type { Clock } from '@/lib/shared/time';
import { type Database, openDatabase, type Patience } from './database';
import { DatabaseClock } from './database-clock';

/** The connections with which two cores serve the most requests. */
const MAX_CONNECTIONS = 16;

/** Somebody looks at the screen meanwhile. */
const PATIENCE: Patience = { lockMs: 5_000, statementMs: 8_000, answerMs: 10_000 };

/** The web process's one database, with the login of the `web` role; opened at the first use. */
export function webDatabase(): Database {
  return processSingleton('web-database', () =>
    openDatabase(databaseUrl('web'), { max: MAX_CONNECTIONS, applicationName: 'incassa-web', patience: PATIENCE }),
  );
}

/** The web process's clock; `startWeb` keeps it. */
export function webDatabaseClock(): DatabaseClock {
  return processSingleton('web-clock', () => new DatabaseClock(webDatabase()));
}

/** To be awaited before a request is served: what it does may need the time. Never rejects. */
export async function knowTime(): Promise<void> {
  const { WEB_DATABASE_URL, DATABASE_URL } = env();
  if (WEB_DATABASE_URL ?? DATABASE_URL) await webDatabaseClock().ready();
}

/** The database's time as this process knows it. @throws DatabaseTimeUnknown (503) while it does not */
export const webClock: Clock = () => webDatabaseClock().now();
