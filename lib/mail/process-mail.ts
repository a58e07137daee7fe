import type { Database, Sql } from '@/lib/db/database';
import type { MailKind } from '@/lib/db/generated/client';
import type { Outcome } from '@/lib/db/leased-queue';
import { transaction } from '@/lib/db/transaction';
import type { Logger } from '@/lib/logging/logger';
import { scheduledDelayMs } from '@/lib/shared/backoff';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { untilAborted } from '@/lib/shared/until-aborted';
import { toHeaderText } from './enqueue-mail';
import type { Mailer } from './mailer';
import { type ClaimedMail, mailQueue, setLastError } from './repository';

/** Seconds after each failed attempt: nine attempts in about two days. */
const SCHEDULE = [10, 60, 300, 1800, 7200, 21_600, 43_200, 86_400];
/** Shorter than the lease. */
const TIMEOUT_MS = 20_000;
const MAX_ERROR = 500;

export interface MailTools {
  mailer: Mailer;
  clock: Clock;
  /** The process is to end: a mail under way is not waited for. */
  stop: AbortSignal;
  /** Subject and text of a mail that goes with an invoice's event (a domain above this one writes them). */
  compose: (eventId: bigint, kind: MailKind) => Promise<{ subject: string; text: string }>;
}

/** Takes up to `limit` due mails for 30 s. */
export function claimMails(sql: Sql, options: { limit: number }): Promise<ClaimedMail[]> {
  return mailQueue.claim(sql, options);
}

/** Sends a claimed mail and writes the outcome: sent, to be tried again, or failed when the schedule is used up. */
export async function processMail(
  db: Pick<Database, 'pool'>,
  mail: ClaimedMail,
  { mailer, clock, stop, compose }: MailTools,
  logger: Logger,
): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)]);
  const sending = written(mail, compose).then((whole) => mailer.send(whole));
  const error = await untilAborted(sending, signal).then(
    () => null,
    (reason: unknown) => String(reason).slice(0, MAX_ERROR),
  );
  if (error !== null && stop.aborted) return;
  const outcome: Outcome = error === null ? { status: 'delivered' } : afterFailure(mail.attemptCount + 1, clock());
  await transaction(db, async (sql) => {
    const number = await mailQueue.settle(sql, mail, outcome, clock());
    if (number !== null) await setLastError.count(sql, { id: mail.id, lastError: error });
  });
  logger.info(
    { mail: String(mail.id), attempt: mail.attemptCount + 1, outcome: outcome.status, error },
    'mail attempt',
  );
}

/** The text of a mail that goes with an event is written from the event, whenever it is sent. */
async function written(mail: ClaimedMail, compose: MailTools['compose']): Promise<ClaimedMail> {
  const { eventId, kind } = mail;
  if (eventId === null || kind === null) return mail;
  const { subject, text } = await compose(eventId, kind);
  return { ...mail, subject: toHeaderText(subject), text };
}

function afterFailure(attempt: number, now: Date): Outcome {
  const delayMs = scheduledDelayMs(SCHEDULE, attempt, Math.random());
  return delayMs === null
    ? { status: 'failed' }
    : { status: 'pending', nextAttemptAt: addSeconds(now, delayMs / 1000) };
}
