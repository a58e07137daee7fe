import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';

/** What to send, and how long to wait for the end after it. */
type Step = readonly [signal: NodeJS.Signals, patienceMs: number];

/**
 * Ends a child, step by step harder, and waits for it. Does nothing when it has ended.
 *
 * @param child a child of this process
 * @param steps signals in order; the last one should be SIGKILL
 */
export async function endProcess(child: ChildProcess, steps: readonly Step[]): Promise<void> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  for (const [signal, patienceMs] of steps) {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await Promise.race([ended, sleep(patienceMs, undefined, { ref: false })]);
  }
}
