import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@/lib/logging/logger';
import { runLoop } from '@/workers/runtime/run-loop';
import type { Waker } from '@/workers/runtime/waker';

/** How long work under way may go on once the process is told to stop. */
const GRACE_MS = 2_500;
const POLL_MS = 1_000;

export interface ClaimLoopOptions<T> {
  name: string;
  /** Items worked on at a time. */
  concurrency: number;
  /** Takes up to `limit` items that nobody else has. */
  claim: (limit: number) => Promise<T[]>;
  /** Works on one item; `stop` aborts when the grace period after the process's signal is over. */
  handle: (item: T, stop: AbortSignal) => Promise<void>;
  waker: Waker;
  signal: AbortSignal;
  logger: Logger;
}

/**
 * Claims and works off a queue: whenever woken, each second, and after each finished item, as much as the concurrency leaves
 * room for. No item waits for another. Resolves after the signal's abort, when the work under way has ended or been broken off.
 */
export async function claimLoop<T>(options: ClaimLoopOptions<T>): Promise<void> {
  const { name, concurrency, claim, handle, waker, signal, logger } = options;
  const underWay = new Set<Promise<void>>();
  const stop = new AbortController();
  const start = (item: T) => {
    const work = handle(item, stop.signal)
      .catch((error) => logger.error({ loop: name, err: error }, 'item failed'))
      .finally(() => {
        underWay.delete(work);
        waker.wake();
      });
    underWay.add(work);
  };
  const task = async () => {
    const room = concurrency - underWay.size;
    if (room > 0) for (const item of await claim(room)) start(item);
  };
  await runLoop({ name, intervalMs: POLL_MS, signal, logger, waker, task });
  const worked = Promise.all(underWay);
  await Promise.race([worked, sleep(GRACE_MS, undefined, { ref: false })]);
  stop.abort();
  await worked;
}
