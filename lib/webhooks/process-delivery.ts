import type { Database, Sql } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { completeAttempt } from './complete-attempt';
import { type DeliveryTools, deliver } from './deliver';
import { type ClaimedDelivery, cancelPending, deliveryQueue } from './repository';

export interface BodyTools {
  /** The JSON text of an event, always the same (a domain above this one writes it). */
  bodyOf: (eventId: bigint) => Promise<string>;
}

/**
 * Takes up to `limit` due deliveries for 30 s: at most four per API key over all dispatchers, and one of every key before a
 * second of any.
 */
export function claimDeliveries(sql: Sql, options: { limit: number }): Promise<ClaimedDelivery[]> {
  return deliveryQueue.claim(sql, options);
}

/**
 * Does what a claimed delivery needs: attempts it and writes the outcome, or gives it back when the process is to end. It goes
 * to the address that the key has now; a key without one, or switched off, gets nothing. Killed at any point, the delivery is claimed again after its
 * lease and goes out under the same webhook-id.
 */
export async function processDelivery(
  db: Pick<Database, 'pool'>,
  delivery: ClaimedDelivery,
  tools: DeliveryTools & BodyTools,
  logger: Logger,
): Promise<void> {
  const context = { delivery: delivery.id, apiKeyId: delivery.apiKeyId, attempt: delivery.attemptCount + 1 };
  const { url } = delivery;
  if (url === null) {
    await cancelPending.count(db.pool, { apiKeyId: delivery.apiKeyId });
    return;
  }
  const body = delivery.body ?? (await tools.bodyOf(delivery.eventId));
  const addressed = { ...delivery, url, body };
  const attempt = await deliver(addressed, tools);
  if (!attempt) return deliveryQueue.release(db.pool, delivery);
  const verdict = await completeAttempt(db, addressed, attempt, tools.clock(), Math.random());
  const { httpStatus, errorCode, durationMs } = attempt;
  logger.info(
    { ...context, httpStatus, errorCode, durationMs, outcome: verdict?.status ?? 'lease_lost' },
    'webhook attempt',
  );
}
