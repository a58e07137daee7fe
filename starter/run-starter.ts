import { rmSync } from 'node:fs';
import path from 'node:path';
import { checkPort } from './check-port';
import { choosePorts } from './choose-ports';
import type { StarterContext } from './context';
import { instanceFile } from './instance';
import { openDataFolder } from './open-data-folder';
import { createPrinter } from './print-log';
import { ChildRecords } from './processes/child-records';
import { tryLock } from './processes/lock-file.mjs';
import { readSettings } from './read-settings';
import { loadSecrets } from './secrets';
import { Services } from './services';
import { StartError } from './start-error';
import { startEverything } from './start-everything';

/**
 * `npm start`: checks, starts and watches everything that an instance needs, until Ctrl-C or SIGTERM. Ends the process
 * with 0 after such a stop, and with 1 and one sentence when the instance cannot start.
 *
 * @param root folder of the project
 */
export async function runStarter(root: string): Promise<void> {
  const begunAt = performance.now();
  const stopping = new AbortController();
  try {
    const context = await prepare(root, stopping.signal);
    const started = startEverything(context, begunAt);
    stopOnSignal(context, stopping, started);
    await started.catch(async (error: Error) => {
      if (stopping.signal.aborted) return;
      await shutDown(context);
      throw error;
    });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exit(1);
  }
}

/** All that can be wrong before anything runs. */
async function prepare(root: string, signal: AbortSignal): Promise<StarterContext> {
  const settings = readSettings(root, process.env);
  const run = openDataFolder(settings.dataDir);
  const lock = tryLock(path.join(run, 'starter.lock'));
  if (!lock.held) {
    throw new StartError(
      `DATA_DIR ${settings.dataDir} is in use by another npm start (process ${lock.owner}): stop that one, or choose another DATA_DIR.`,
    );
  }
  process.once('exit', () => lock.release());
  const print = createPrinter(settings.logLevel === 'debug' || settings.logLevel === 'trace');
  const tell = (line: string) => print('start', line);
  const records = new ChildRecords(path.join(run, 'children.json'));
  const reaped = await records.reap();
  if (reaped.length > 0) tell(`ended what an earlier start left behind: ${reaped.join(', ')}`);
  await checkPort(settings.port, settings.host);
  const secrets = settings.mode === 'embedded' ? loadSecrets(settings.dataDir) : undefined;
  const ports = await choosePorts(run);
  return { root, settings, secrets, ports, services: new Services(tell), records, signal, print, tell };
}

function stopOnSignal(context: StarterContext, stopping: AbortController, started: Promise<void>): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (stopping.signal.aborted) return;
      context.tell(`${signal}: stopping`);
      stopping.abort(new Error('the start was given up'));
      void started
        .catch(() => undefined)
        .then(() => shutDown(context))
        .finally(() => process.exit(0));
    });
  }
}

async function shutDown(context: StarterContext): Promise<void> {
  rmSync(instanceFile(context.settings.dataDir), { force: true });
  await context.services.stopAll();
}
