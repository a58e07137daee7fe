import { databaseUrl } from '@/lib/config/env';
import { processSingleton } from '@/lib/shared/process-singleton';
import { type Database, openDatabase, type Patience } from './database';

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
