import { requireForRoles } from '@/lib/config/env';
import { createLogger } from '@/lib/logging/logger';
import { parseRoles } from './runtime/parse-roles';
import { runRoles } from './runtime/run-roles';

/** A role that has not put its work down by then is cut off: everything survives that, and 5 s is the promise. */
const STOP_DEADLINE_MS = 4_500;

async function main(): Promise<void> {
  const roles = parseRoles(process.argv.slice(2));
  requireForRoles(roles);
  const logger = createLogger(roles.join('+'));
  const stop = new AbortController();
  const die = (error: unknown) => {
    logger.fatal({ err: error }, 'worker ends');
    process.exit(1);
  };
  process.on('unhandledRejection', die);
  process.on('uncaughtException', die);
  for (const name of ['SIGTERM', 'SIGINT'] as const) {
    process.on(name, () => {
      if (stop.signal.aborted) return;
      logger.info({ signal: name }, 'worker stops');
      setTimeout(() => die(new Error('The work was not put down in time.')), STOP_DEADLINE_MS).unref();
      stop.abort();
    });
  }
  logger.info({ roles }, 'worker starts');
  // The signer only waits for its end, which by itself does not keep Node running once the database is idle.
  const keepAlive = setInterval(() => undefined, 2 ** 30);
  await runRoles(roles, { signal: stop.signal, logger }).catch(die);
  clearInterval(keepAlive);
  process.exit(0);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
