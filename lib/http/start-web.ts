import type { Server } from 'node:http';
import { flushApiKeyUses } from '@/lib/api-keys/key-uses';
import { databaseUrl, publicUrl, requireEnv, requireForRoles } from '@/lib/config/env';
import { webDatabase } from '@/lib/db/web-database';
import { webLogger } from './request-log';
import { stopWeb } from './stop-web';
import { watchRequests } from './watch-requests';

const FLUSH_MS = 60_000;

/**
 * What the web process does beside answering: checks its configuration, stamps the callers' addresses, writes API key
 * uses each minute, and stops cleanly on SIGTERM and SIGINT (Next leaves both to us under `NEXT_MANUAL_SIG_HANDLE=1`).
 * A bad or missing variable ends the process with one sentence that names it.
 */
export function startWeb(): void {
  requireConfiguration();
  const logger = webLogger();
  const servers = new Set<Server>();
  watchRequests({ onServer: (server) => servers.add(server), isHttps: publicUrl().startsWith('https:') });
  setInterval(() => {
    flushApiKeyUses(webDatabase()).catch((error: unknown) => logger.error({ err: error }, 'API key uses not written'));
  }, FLUSH_MS).unref();

  let isStopping = false;
  const stop = async (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    logger.info({ signal }, 'stopping');
    await stopWeb({ servers, db: webDatabase(), logger });
    process.exit(0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

function requireConfiguration(): void {
  try {
    requireForRoles(['web']);
    databaseUrl('web');
    requireEnv('AUTH_SECRET');
    requireEnv('APP_SEAL_KEY');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exit(1);
  }
}
