/** No loop waits longer than this after a fault, whatever its interval. */
const LONGEST_MS = 60_000;
const SHORTEST_CAP_MS = 5_000;
const FIRST_MS = 1_000;

/**
 * How long a loop waits after its `failures`-th fault in a row: from min(interval, 1 s) doubling up to the interval
 * (at least 5 s, at most 60 s), of which the half is random so that copies of a process do not come back together.
 * @param failures 1 for the first fault
 * @param random from 0 (included) to 1
 * @returns milliseconds
 */
export function backoffMs(failures: number, intervalMs: number, random: number): number {
  const cap = Math.min(Math.max(intervalMs, SHORTEST_CAP_MS), LONGEST_MS);
  const full = Math.min(Math.min(intervalMs, FIRST_MS) * 2 ** Math.min(failures - 1, 20), cap);
  return full / 2 + (full / 2) * random;
}

/** Retries of many rows that failed together spread over this share of their delay. */
const JITTER = 0.1;

/**
 * How long to wait after a failed attempt of something that is tried a fixed number of times.
 * @param scheduleSeconds the delays after the first, second, … failed attempt
 * @param attempt number of the attempt that failed, from 1
 * @param random from 0 (included) to 1
 * @returns milliseconds, never less than scheduled and at most a tenth more; null when the schedule is used up
 */
export function scheduledDelayMs(scheduleSeconds: readonly number[], attempt: number, random: number): number | null {
  const seconds = scheduleSeconds[attempt - 1];
  return seconds === undefined ? null : Math.round(seconds * 1000 * (1 + JITTER * random));
}
