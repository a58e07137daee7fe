import type { Sql } from '@/lib/db/database';
import { enqueueMail } from '@/lib/mail/enqueue-mail';
import type { AddressedDelivery } from './deliver';
import { findKeyOwner } from './repository';

const TEXTS = {
  gone: {
    subject: 'Webhook disattivato',
    reason: 'ha risposto 410 (Gone): il webhook è stato disattivato e le notifiche in attesa sono state annullate.',
  },
  exhausted: {
    subject: 'Notifica webhook non consegnata',
    reason: 'non ha accettato una notifica nonostante più tentativi in tre giorni: la notifica non verrà più inviata.',
  },
} as const;

/**
 * Writes the mail that tells a key's owner that its endpoint got, or will get, nothing. One a day and key at most: a dead
 * endpoint fails every event.
 */
export async function notifyOwner(
  sql: Sql,
  delivery: Pick<AddressedDelivery, 'apiKeyId' | 'url'>,
  what: keyof typeof TEXTS,
  now: Date,
): Promise<void> {
  const { email, keyName } = await findKeyOwner.one(sql, { apiKeyId: delivery.apiKeyId });
  const { subject, reason } = TEXTS[what];
  await enqueueMail(sql, {
    dedupeKey: `webhook.${what}:${delivery.apiKeyId}:${now.toISOString().slice(0, 10)}`,
    recipient: email,
    subject: `${subject}: ${keyName}`,
    text: `L'indirizzo ${delivery.url} della API key "${keyName}" ${reason}\n`,
  });
}
