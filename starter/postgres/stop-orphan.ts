import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { platform } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { processFacts } from '../processes/process-facts.mjs';
import { StartError } from '../start-error';

/** Postgres' default limit for a clean stop of a small database is far below this. */
const PATIENCE_MS = 15_000;

/** `/any/where/bin/postgres -D …` and the titles `postgres: checkpointer`. */
const POSTGRES = /^(?:\S*\/)?postgres(?:$|[: ])/;

/**
 * Stops a Postgres that a dead starter left running on this data folder, and removes a `postmaster.pid` that names a
 * process of somebody else (a number used again after a crash), which Postgres itself would take for a living server.
 * The caller holds the lock on the data folder.
 *
 * @param dataDir the cluster's folder
 * @throws {StartError} when the server does not stop
 */
export async function stopOrphan(dataDir: string): Promise<void> {
  const pidFile = path.join(dataDir, 'postmaster.pid');
  const named = readPid(pidFile);
  const deadline = Date.now() + PATIENCE_MS;
  for (let round = 0; ; round++) {
    const servers = serversOn(dataDir, named);
    if (servers.length === 0) break;
    if (Date.now() > deadline)
      throw new StartError(`Another Postgres (process ${servers.join(', ')}) holds ${dataDir}.`);
    // The head server stops the others. After five seconds without tidying up, which the next start does from the log.
    if (round === 0)
      signal(
        servers.filter((pid) => pid === named),
        'SIGINT',
      );
    else if (round === 50) signal(servers, 'SIGQUIT');
    await sleep(100);
  }
  if (named !== undefined && processFacts(named) !== undefined) rmSync(pidFile, { force: true });
}

function readPid(pidFile: string): number | undefined {
  try {
    const pid = Number(readFileSync(pidFile, 'utf8').split('\n', 1)[0]);
    return Number.isSafeInteger(pid) && pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Every process of a server on this folder. Postgres' processes all work in their data folder; where the system does not
 * show that, the process that the pid file names counts when its command line names the folder.
 */
function serversOn(dataDir: string, named: number | undefined): number[] {
  const shown = platform() === 'linux';
  const candidates = shown ? readdirSync('/proc').map(Number).filter(Number.isSafeInteger) : named ? [named] : [];
  return candidates.filter((pid) => {
    const facts = processFacts(pid);
    if (facts === undefined || !POSTGRES.test(facts.command)) return false;
    return shown ? facts.cwd === dataDir : facts.command.includes(`-D ${dataDir} `);
  });
}

function signal(pids: number[], name: 'SIGINT' | 'SIGQUIT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, name);
    } catch {
      // Gone in the meantime, which is what was wanted.
    }
  }
}
