import { scheduledDelayMs } from '@/lib/shared/backoff';
import { addSeconds } from '@/lib/shared/time';

/** Why an attempt brought no answer. */
export type AttemptError = 'timeout' | 'refused_address' | 'dns' | 'tls' | 'connection' | 'signing';

/** What one attempt of a delivery came to. */
export interface Attempt {
  startedAt: Date;
  durationMs: number;
  /** Null without an answer. */
  httpStatus: number | null;
  errorCode: AttemptError | null;
  /** The first 1,000 characters of the answer. */
  response: string | null;
  /** What the receiver asked for in Retry-After, where that counts (429 and 503). */
  retryAfterSeconds: number | null;
}

export type Verdict =
  | { status: 'delivered' }
  | { status: 'pending'; nextAttemptAt: Date }
  /** `gone`: the receiver wants nothing any more. */
  | { status: 'failed'; gone: boolean };

const GONE = 410;
const MINUTE = 60;
const HOUR = 3600;
/** Seconds after each failed attempt: eleven attempts over a little more than three days (Standard Webhooks' example). */
const SCHEDULE = [5, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR];
const LONGEST_RETRY_AFTER = 24 * HOUR;

/**
 * What follows from an attempt: only a 2xx delivers; 410 ends everything for that endpoint; all else, redirects included, is
 * tried again until the schedule is used up.
 * @param number of the attempt, from 1
 * @param random jitter, from 0 (included) to 1
 */
export function judgeAttempt(attempt: Attempt, number: number, now: Date, random: number): Verdict {
  const { httpStatus } = attempt;
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 300) return { status: 'delivered' };
  if (httpStatus === GONE) return { status: 'failed', gone: true };
  const delayMs = nextDelayMs(number, attempt.retryAfterSeconds, random);
  if (delayMs === null) return { status: 'failed', gone: false };
  return { status: 'pending', nextAttemptAt: addSeconds(now, delayMs / 1000) };
}

/**
 * Delay until the next attempt of a delivery.
 * @param attempt number of the attempt that failed, from 1
 * @param retryAfterSeconds what the receiver asked for, if it did: honoured up to a day, never to come sooner
 * @param random jitter, from 0 (included) to 1
 * @returns milliseconds, or null when the last attempt is spent
 */
export function nextDelayMs(attempt: number, retryAfterSeconds: number | null, random: number): number | null {
  const scheduled = scheduledDelayMs(SCHEDULE, attempt, random);
  if (scheduled === null || retryAfterSeconds === null) return scheduled;
  return Math.max(scheduled, Math.min(retryAfterSeconds, LONGEST_RETRY_AFTER) * 1000);
}
