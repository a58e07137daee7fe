/** Retries of many rows that failed together spread over this share of their delay. */
const JITTER = 0.1;

/**
 * How long to wait after a failed attempt.
 * @param scheduleSeconds the delays after the first, second, … failed attempt
 * @param attempt number of the attempt that failed, from 1
 * @param random from 0 (included) to 1
 * @returns milliseconds, never less than scheduled and at most a tenth more; null when the schedule is used up
 */
export function retryDelayMs(scheduleSeconds: readonly number[], attempt: number, random: number): number | null {
  const seconds = scheduleSeconds[attempt - 1];
  return seconds === undefined ? null : Math.round(seconds * 1000 * (1 + JITTER * random));
}
