import type { Database, Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { Attempt } from './attempt';
import { cancelDeliveries } from './cancel-deliveries';
import { deliveryQueue } from './delivery-queue';
import { judgeAttempt, type Verdict } from './judge-attempt';
import { notifyOwner } from './notify-owner';
import { type ClaimedDelivery, clearWebhookUrl, insertAttempt } from './repository';

/**
 * Writes an attempt and what follows from it in one transaction, unless the lease was lost meanwhile: then the delivery is
 * somebody else's, or cancelled. A 410 switches the key's webhook off, and the owner is told.
 * @param random jitter of the next attempt, from 0 (included) to 1
 * @returns what was decided, or null when nothing was written
 */
export async function completeAttempt(
  db: Pick<Database, 'pool'>,
  delivery: ClaimedDelivery,
  attempt: Attempt,
  now: Date,
  random: number,
): Promise<Verdict | null> {
  const verdict = judgeAttempt(attempt, delivery.attemptCount + 1, now, random);
  return transaction(db, async (sql) => {
    const number = await deliveryQueue.settle(sql, delivery, verdict, now);
    if (number === null) return null;
    await insertAttempt(sql, delivery.id, number, attempt);
    if (verdict.status === 'failed') await giveUp(sql, delivery, verdict.gone, now);
    return verdict;
  });
}

async function giveUp(sql: Sql, delivery: ClaimedDelivery, gone: boolean, now: Date): Promise<void> {
  if (!gone) return notifyOwner(sql, delivery, 'exhausted', now);
  await cancelDeliveries(sql, delivery.apiKeyId, { url: delivery.url });
  const wasSet = await clearWebhookUrl(sql, delivery.apiKeyId, delivery.url);
  if (wasSet) await notifyOwner(sql, delivery, 'gone', now);
}
