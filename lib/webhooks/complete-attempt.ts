import { clearWebhookUrl, lockKey } from '@/lib/api-keys/repository';
import type { Database, Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { type Attempt, judgeAttempt, type Verdict } from './attempt';
import type { AddressedDelivery } from './deliver';
import { notifyOwner } from './notify-owner';
import { deliveryQueue, insertAttempt } from './repository';

/**
 * Writes an attempt and what follows from it in one transaction, unless the lease was lost meanwhile: then the delivery is
 * somebody else's, or cancelled. A 410 switches the key's webhook off, and the owner is told.
 * @param random jitter of the next attempt, from 0 (included) to 1
 * @returns what was decided, or null when nothing was written
 */
export async function completeAttempt(
  db: Pick<Database, 'pool'>,
  delivery: AddressedDelivery,
  attempt: Attempt,
  now: Date,
  random: number,
): Promise<Verdict | null> {
  const verdict = judgeAttempt(attempt, delivery.attemptCount + 1, now, random);
  return transaction(db, async (sql) => {
    // Before the delivery: what is done to the key is done to its other deliveries too, which wait here for the key.
    if (verdict.status === 'failed' && verdict.gone) await lockKey.count(sql, { id: delivery.apiKeyId });
    const number = await deliveryQueue.settle(sql, delivery, verdict, now);
    if (number === null) return null;
    await insertAttempt.count(sql, { ...attempt, deliveryId: delivery.id, number });
    if (verdict.status === 'failed') await giveUp(sql, delivery, verdict.gone, now);
    return verdict;
  });
}

async function giveUp(sql: Sql, delivery: AddressedDelivery, gone: boolean, now: Date): Promise<void> {
  if (!gone) return notifyOwner(sql, delivery, 'exhausted', now);
  // What still waits for the key is cancelled with it, by the database.
  const cleared = await clearWebhookUrl.count(sql, { id: delivery.apiKeyId, url: delivery.url });
  if (cleared > 0) await notifyOwner(sql, delivery, 'gone', now);
}
