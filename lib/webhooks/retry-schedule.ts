import { retryDelayMs } from '@/lib/db/retry-delay-ms';

const MINUTE = 60;
const HOUR = 3600;
/** Seconds after each failed attempt: eleven attempts over a little more than three days (Standard Webhooks' example). */
const SCHEDULE = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const LONGEST_RETRY_AFTER = 24 * HOUR;

/**
 * Delay until the next attempt of a delivery.
 * @param attempt number of the attempt that failed, from 1
 * @param retryAfterSeconds what the receiver asked for, if it did: honoured up to a day, never to come sooner
 * @param random jitter, from 0 (included) to 1
 * @returns milliseconds, or null when the last attempt is spent
 */
export function nextDelayMs(attempt: number, retryAfterSeconds: number | null, random: number): number | null {
  const scheduled = retryDelayMs(SCHEDULE, attempt, random);
  if (scheduled === null || retryAfterSeconds === null) return scheduled;
  return Math.max(scheduled, Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER) * 1000);
}
