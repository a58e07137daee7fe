import type { Database, Sql } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { completeAttempt } from './complete-attempt';
import { type DeliveryTools, deliver } from './deliver';
import { cancelDeliveries } from './delivery-log';
import { type ClaimedDelivery, deliveryQueue } from './repository';

/**
 * Takes up to `limit` due deliveries for 30 s: at most four per API key over all dispatchers, and one of every key before a
 * second of any.
 */
export function claimDeliveries(sql: Sql, options: { now: Date; limit: number }): Promise<ClaimedDelivery[]> {
  return deliveryQueue.claim(sql, options);
}

/**
 * Does what a claimed delivery needs: attempts it and writes the outcome, or gives it back when the process is to end. A key
 * that was deactivated after the event was written gets nothing. Killed at any point, the delivery is claimed again after its
 * lease and goes out under the same webhook-id.
 */
export async function processDelivery(
  db: Pick<Database, 'pool'>,
  delivery: ClaimedDelivery,
  tools: DeliveryTools,
  logger: Logger,
): Promise<void> {
  const context = { delivery: delivery.id, apiKeyId: delivery.apiKeyId, attempt: delivery.attemptCount + 1 };
  if (!delivery.keyIsActive) {
    await cancelDeliveries(db.pool, delivery.apiKeyId);
    return;
  }
  const attempt = await deliver(delivery, tools);
  if (!attempt) return deliveryQueue.release(db.pool, delivery);
  const verdict = await completeAttempt(db, delivery, attempt, tools.clock(), Math.random());
  const { httpStatus, errorCode, durationMs } = attempt;
  logger.info(
    { ...context, httpStatus, errorCode, durationMs, outcome: verdict?.status ?? 'lease_lost' },
    'webhook attempt',
  );
}
