import { z } from 'zod';
import type { Sql } from '@/lib/db/database';
import { insertMail } from './repository';

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
  const added = await insertMail.count(sql, {
    ...mail,
    subject: toHeaderText(mail.subject),
    status: isDeliverable ? 'pending' : 'failed',
    lastError: isDeliverable ? null : 'invalid_recipient',
  });
  return added === 1;
}

/** One line without control characters: what people typed must not become headers. */
export function toHeaderText(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, MAX_SUBJECT);
}
