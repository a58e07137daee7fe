import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chainVariableNames } from '@/lib/config/chain-variables';
import { VARIABLES } from '@/lib/config/roles';
import { readInstance } from '@/starter/instance';
import { instanceLog } from './instance-log';

/** A first start builds the pages. */
const READY_WITHIN_MS = 300_000;
/** Longer than the starter takes when it has to end every layer the hard way, so that its own words are in the log. */
const STOPPED_WITHIN_MS = 60_000;

type Options = {
  /** Folder of the project. */
  root: string;
  /** Created by the starter, removed after the stop. */
  dataDir: string;
  port: number;
  /** Further variables, or other values. */
  env?: Record<string, string>;
};

/** Stops an instance, with SIGTERM unless told otherwise, and removes its data, unless they are to be kept for another start. */
export type StopInstance = (options?: {
  keepData?: boolean;
  signal?: 'SIGINT' | 'SIGTERM' | 'SIGKILL';
}) => Promise<void>;

/**
 * Starts a whole instance as `npm start` does and waits until it describes itself and answers that it can be paid.
 *
 * @returns what stops it and removes its data
 * @throws {Error} with the end of its output when it does not come up in time
 */
export async function startInstance({ root, dataDir, port, env = {} }: Options): Promise<StopInstance> {
  const logFile = instanceLog(dataDir);
  mkdirSync(path.dirname(logFile), { recursive: true });
  const child = spawn(process.execPath, [path.join(root, 'starter', 'start.mjs')], {
    cwd: root,
    env: { ...process.env, ...environment(dataDir, port), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = createWriteStream(logFile);
  child.stdout.pipe(log, { end: false });
  child.stderr.pipe(log, { end: false });
  const stop: StopInstance = async ({ keepData = false, signal = 'SIGTERM' } = {}) => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'exit', { signal: AbortSignal.timeout(STOPPED_WITHIN_MS) });
      child.kill(signal);
      await ended.catch((cause: Error) => {
        throw new Error(`The instance under test did not stop:\n${lastLines(logFile)}`, { cause });
      });
    }
    if (!keepData) rmSync(dataDir, { recursive: true, force: true });
    rmSync(logFile, { force: true });
  };
  for (const deadline = Date.now() + READY_WITHIN_MS; ; await sleep(200)) {
    if (await isReady(dataDir)) return stop;
    if (child.exitCode === null && Date.now() < deadline) continue;
    const output = lastLines(logFile);
    await stop();
    throw new Error(`The instance under test did not come up:\n${output}`);
  }
}

function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').split('\n').slice(-30).join('\n');
}

/** Everything embedded, whatever the shell that runs the tests has configured. */
function environment(dataDir: string, port: number): Record<string, string> {
  return {
    ...Object.fromEntries([...Object.keys(VARIABLES), ...chainVariableNames()].map((name) => [name, ''])),
    INCASSA_MODE: 'embedded',
    DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'debug',
    // Two, so that there is a time between "seen" and "confirmed" to look at.
    ETH_CONFIRMATIONS: '2',
    // Tests register from addresses of their own: one may make 30 accounts an hour.
    TRUSTED_PROXIES: '1',
  };
}

async function isReady(dataDir: string): Promise<boolean> {
  const url = runningUrl(dataDir);
  if (url === undefined) return false;
  const answer = await fetch(`${url}/api/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

/** Undefined until the instance describes itself; a killed one has left its description behind. */
function runningUrl(dataDir: string): string | undefined {
  try {
    return readInstance(dataDir).url;
  } catch {
    return undefined;
  }
}
