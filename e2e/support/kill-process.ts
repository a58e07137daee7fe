import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Instance } from '@/starter/instance';

const records = z.array(z.object({ name: z.string(), pid: z.int().min(2) }));

/**
 * Kills a process of the instance with SIGKILL; the starter starts it again.
 *
 * @param name `watcher`, `dispatcher`, …
 * @returns its number
 */
export function killProcess(instance: Instance, name: string): number {
  const pid = pidOf(instance, name);
  if (pid === undefined) throw new Error(`The instance has no process ${name}.`);
  process.kill(pid, 'SIGKILL');
  return pid;
}

/** Number of a process as the starter notes it now; undefined while it is being started again. */
export function pidOf(instance: Instance, name: string): number | undefined {
  const text = readFileSync(path.join(instance.dataDir, 'run', 'children.json'), 'utf8');
  return records.parse(JSON.parse(text)).find((record) => record.name === name)?.pid;
}
