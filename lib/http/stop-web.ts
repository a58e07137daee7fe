import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { flushApiKeyUses } from '@/lib/api-keys/key-uses';
import { closeDatabase, type Database } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { openStreams } from './open-streams';

/** How long requests that are being answered may take to their end. */
const DRAIN_MS = 3_000;
/** How long the database may take to take the last statement and let go. */
const CLOSE_MS = 1_000;
const IDLE_CHECK_MS = 50;

export interface RunningWeb {
  /** Servers that requests came in on. */
  servers: ReadonlySet<Server>;
  db: Database;
  logger: Logger;
}

/**
 * Puts the web process down within 4 s: takes no new connection, ends the event streams, lets the other requests
 * finish, writes the counted API key uses, closes the database. What does not end in its time is left to its fate.
 */
export async function stopWeb({ servers, db, logger }: RunningWeb): Promise<void> {
  const drained = Promise.all([...servers].map(drain));
  openStreams().closeAll();
  await within(DRAIN_MS, drained);
  try {
    await within(
      CLOSE_MS,
      flushApiKeyUses(db).then(() => closeDatabase(db)),
    );
  } catch (error) {
    logger.error({ err: error }, 'database did not close cleanly');
  }
}

async function drain(server: Server): Promise<void> {
  // A kept-alive connection that falls idle after `close` would hold it open for seconds.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(sweep);
}

async function within(ms: number, work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  await Promise.race([work, wait(ms, undefined, { signal: timer.signal }).catch(() => undefined)]).finally(() =>
    timer.abort(),
  );
}
