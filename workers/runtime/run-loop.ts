import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@/lib/logging/logger';
import { backoffMs } from '@/lib/shared/backoff';
import { Waker } from './waker';

export interface LoopOptions {
  /** Named in the log. */
  name: string;
  /** Pause between the end of one run and the start of the next. */
  intervalMs: number;
  /** Ends the loop; handed on to the task. */
  signal: AbortSignal;
  logger: Logger;
  /** One round of work. A throw is logged and retried, it never ends the loop. */
  task: (signal: AbortSignal) => Promise<unknown>;
  /** Ends a pause early, but never a backoff: a fault must not turn wake-ups into a storm. */
  waker?: Waker;
}

/**
 * Runs `task` at once and then after each interval or wake-up, with jittered backoff after faults, until the signal aborts.
 * Runs never overlap. Resolves when the last one has ended; never rejects.
 */
export async function runLoop({
  name,
  intervalMs,
  signal,
  logger,
  task,
  waker = new Waker(),
}: LoopOptions): Promise<void> {
  let failures = 0;
  while (!signal.aborted) {
    try {
      await task(signal);
      if (failures > 0) logger.info({ loop: name, failures }, 'loop works again');
      failures = 0;
      await waker.wait(intervalMs, signal);
    } catch (error) {
      if (signal.aborted) break;
      failures += 1;
      const waitMs = Math.round(backoffMs(failures, intervalMs, Math.random()));
      logger.error({ loop: name, err: error, failures, waitMs }, 'loop failed');
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
