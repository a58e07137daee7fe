import type { OutgoingMail } from '@/lib/db/generated/client';
import { type Lease, leasedQueue } from '@/lib/db/leased-queue';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** A mail that this process has claimed. */
export type ClaimedMail = Lease<bigint> & Row<OutgoingMail, 'recipient' | 'subject' | 'text' | 'eventId' | 'kind'>;

/** The mails to send as a queue, the oldest due first. */
export const mailQueue = leasedQueue<ClaimedMail>({
  name: 'mail.queue',
  table: 'outgoing_mail',
  doneColumn: 'sent_at',
  columns: 'q.recipient, q.subject, q.text, q.event_id AS "eventId", q.kind',
  candidates: `
    SELECT id, 1 AS place FROM outgoing_mail
    WHERE status = 'pending' AND next_attempt_at <= now() AND (lease_expires_at IS NULL OR lease_expires_at <= now())
    ORDER BY next_attempt_at LIMIT 100`,
});

type NewMail = Pick<OutgoingMail, 'dedupeKey' | 'recipient' | 'subject' | 'text' | 'status' | 'lastError'>;

/** Adds a mail, unless there is one under the same key. Due at the millisecond, since that is all a clock of ours shows. */
export const insertMail = statement<NewMail>(
  'mail.insert',
  `INSERT INTO outgoing_mail (dedupe_key, recipient, subject, text, status, last_error, next_attempt_at)
   VALUES ($dedupeKey, $recipient, $subject, $text, $status, $lastError, date_trunc('milliseconds', now()))
   ON CONFLICT (dedupe_key) DO NOTHING`,
  { prepared: true },
);

export const setLastError = statement<Pick<OutgoingMail, 'id' | 'lastError'>>(
  'mail.set-last-error',
  'UPDATE outgoing_mail SET last_error = $lastError WHERE id = $id',
);

/**
 * Erases to whom and what of up to `limit` mails that were over before `before`. The row stays with its key, so that no mail is
 * ever sent a second time.
 */
export const eraseOldMails = statement<{ before: Date; limit: number }>(
  'mail.erase-old',
  `UPDATE outgoing_mail SET recipient = '', subject = '', text = '', last_error = NULL
   WHERE id = ANY(ARRAY(SELECT id FROM outgoing_mail
     WHERE status <> 'pending' AND recipient <> '' AND coalesce(sent_at, created_at) < $before
     ORDER BY coalesce(sent_at, created_at) LIMIT $limit FOR UPDATE SKIP LOCKED))`,
);
