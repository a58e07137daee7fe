import { setTimeout as sleep } from 'node:timers/promises';

/** Something that runs: a process of ours or a server that another function started. */
export type Running = {
  pid: number;
  /** Resolves when it has ended, by whatever cause, which it names. */
  ended: Promise<string>;
  stop(): Promise<void>;
};

export type Supervised = { pid(): number; stop(): Promise<void> };

const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;
/** One that ran for so long has recovered: its next end is a new one. */
const HEALTHY_AFTER_MS = 60_000;

/**
 * Starts something and starts it again whenever it ends by itself, after a pause that doubles up to 30 s.
 *
 * @param name for messages
 * @param start starts it; the first failure is the caller's, later ones are told and tried again
 * @param tell receives one line per end and restart
 * @param firstPauseMs pause before the first restart
 */
export async function supervise(
  name: string,
  start: () => Promise<Running>,
  tell: (line: string) => void,
  firstPauseMs = FIRST_PAUSE_MS,
): Promise<Supervised> {
  let running = await start();
  const stopping = new AbortController();
  const watch = async () => {
    let pauseMs = firstPauseMs;
    let since = Date.now();
    while (!stopping.signal.aborted) {
      const how = await running.ended;
      if (stopping.signal.aborted) return;
      if (Date.now() - since > HEALTHY_AFTER_MS) pauseMs = firstPauseMs;
      tell(`${name} ended by itself (${how}); it starts again in ${pauseMs / 1000} s`);
      await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      since = Date.now();
      await start().then(
        (next) => {
          running = next;
        },
        (error: Error) => tell(`${name} did not start: ${error.message}`),
      );
    }
  };
  const watching = watch();
  return {
    pid: () => running.pid,
    stop: async () => {
      stopping.abort();
      await running.stop();
      // A restart that was under way when the stop came has its own process to end.
      await watching;
      await running.stop();
    },
  };
}
