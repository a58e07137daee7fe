import { createInterface } from 'node:readline';
import { spawnNode } from './spawn-tied.mjs';

type Tool = {
  /** Name for messages. */
  name: string;
  /** Folder of the project, where it runs. */
  root: string;
  /** What follows `node`. */
  program: readonly string[];
  env: NodeJS.ProcessEnv;
  /** Ends the tool when aborted. */
  signal?: AbortSignal;
  /** Receives its output as it comes. */
  print?: (line: string) => void;
};

/**
 * Runs a Node program to its end.
 *
 * @throws {Error} with the last lines of its output when it fails
 */
export async function runTool({ name, root, program, env, signal, print }: Tool): Promise<void> {
  const child = spawnNode(root, program, {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(signal === undefined ? {} : { signal }),
  });
  const lines: string[] = [];
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      print?.(line);
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${name} failed:\n${lines.slice(-30).join('\n')}`);
}
