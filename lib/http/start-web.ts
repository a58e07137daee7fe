import type { Server } from 'node:http';
import { flushApiKeyUses } from '@/lib/api-keys/key-uses';
import { databaseUrl, env, publicUrl, requireEnv, requireForRoles } from '@/lib/config/env';
import { webDatabase, webDatabaseClock } from '@/lib/db/web-database';
import { BODY_DEADLINE_MS } from '@/lib/shared/limits';
import { cutStalled } from './cut-stalled';
import { guardConnections } from './guard-connections';
import { forwardingCheck, restoreHost } from './proxy-headers';
import { webLogger } from './request-log';
import { stopWeb } from './stop-web';
import { watchRequests } from './watch-requests';

const FLUSH_MS = 60_000;

/** Longer than any answer takes, and than a quiet event stream is silent. */
const STALLED_MS = 120_000;
/** A house full of browsers, each with its pages and streams, is below; memory and file handles last for all of them. */
const CONNECTIONS = { headMs: 10_000, bodyMs: BODY_DEADLINE_MS + 5_000, mostPerAddress: 256, most: 4_000 };

/**
 * What the web process does beside answering: checks its configuration, stamps the callers' addresses, cuts
 * slow connections off, keeps the time of the database, writes API key uses each minute, and stops cleanly on SIGTERM and SIGINT (Next leaves both to us under `NEXT_MANUAL_SIG_HANDLE=1`).
 * A bad or missing variable ends the process with one sentence that names it.
 */
export function startWeb(): void {
  requireConfiguration();
  const logger = webLogger();
  const servers = new Set<Server>();
  const checkForwarding = forwardingCheck(env().TRUSTED_PROXIES, (message) => logger.warn(message));
  watchRequests({
    isHttps: publicUrl().startsWith('https:'),
    onRequest: (server, { headers, socket }) => {
      servers.add(server);
      cutStalled(server, socket, STALLED_MS);
      checkForwarding(headers);
      restoreHost(headers, publicUrl());
    },
  });
  void webDatabaseClock().keep(new AbortController().signal, logger);
  const isBehindProxy = (env().TRUSTED_PROXIES ?? 0) > 0;
  guardConnections({ ...CONNECTIONS, ...(isBehindProxy && { mostPerAddress: null }) });
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
