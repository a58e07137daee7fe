import { addSeconds } from '@/lib/shared/time';
import type { Attempt } from './attempt';
import { nextDelayMs } from './retry-schedule';

const GONE = 410;

export type Verdict =
  | { status: 'delivered' }
  | { status: 'pending'; nextAttemptAt: Date }
  /** `gone`: the receiver wants nothing any more. */
  | { status: 'failed'; gone: boolean };

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
