import { z } from 'zod';
import type { Sql } from '@/lib/db/database';

export interface MailToSend {
  /** Names the occasion: a second mail under the same key is not written. */
  dedupeKey: string;
  recipient: string;
  subject: string;
  /** Plain text. */
  text: string;
}

const RecipientSchema = z.email().max(254);
const MAX_SUBJECT = 200;

/**
 * Writes a mail inside the transaction that caused it; the dispatcher sends it. An address that cannot be mailed is kept as a
 * failed mail, because it must not undo what caused it.
 * @returns whether it was added: false for a repeated key
 */
export async function enqueueMail(sql: Sql, mail: MailToSend): Promise<boolean> {
  const isDeliverable = RecipientSchema.safeParse(mail.recipient).success;
  const { rowCount } = await sql.query(
    `INSERT INTO outgoing_mail (dedupe_key, recipient, subject, text, status, last_error, next_attempt_at)
     VALUES ($1, $2, $3, $4, $5, $6, date_trunc('milliseconds', now())) ON CONFLICT (dedupe_key) DO NOTHING`,
    [
      mail.dedupeKey,
      mail.recipient,
      toHeaderText(mail.subject),
      mail.text,
      isDeliverable ? 'pending' : 'failed',
      isDeliverable ? null : 'invalid_recipient',
    ],
  );
  return rowCount === 1;
}

/** One line without control characters: what people typed must not become headers. */
function toHeaderText(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT);
}
