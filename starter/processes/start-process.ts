import { createInterface } from 'node:readline';
import type { Running } from '../supervise';
import type { ChildRecords } from './child-records';
import { endProcess } from './end-process';
import { spawnNode } from './spawn-tied.mjs';

type Options = {
  name: string;
  /** Folder of the project, where it runs. */
  root: string;
  /** What follows `node`. */
  program: readonly string[];
  env: NodeJS.ProcessEnv;
  records: ChildRecords;
  print: (line: string) => void;
};

/**
 * Starts a Node process that runs until it is stopped, in a process group of its own: Ctrl-C in the terminal reaches the
 * starter alone, which decides the order of the ends.
 *
 * @throws {Error} when the program cannot be started at all
 */
export async function startProcess({ name, root, program, env, records, print }: Options): Promise<Running> {
  const child = spawnNode(root, program, { env, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', reject);
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} has no process number.`);
  records.add(name, pid);
  for (const input of [child.stdout, child.stderr]) if (input) createInterface({ input }).on('line', print);
  const ended = new Promise<string>((resolve) => {
    child.once('exit', (code, signal) => {
      records.remove(pid);
      resolve(signal ?? `code ${code}`);
    });
  });
  const stop = () =>
    endProcess(child, [
      ['SIGTERM', 7_000],
      ['SIGKILL', 3_000],
    ]);
  return { pid, ended, stop };
}
