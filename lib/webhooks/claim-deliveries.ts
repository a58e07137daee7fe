import type { Sql } from '@/lib/db/database';
import { deliveryQueue } from './delivery-queue';
import { type ClaimedDelivery, withSigningKeys } from './repository';

/**
 * Takes up to `limit` due deliveries for 30 s: at most four per API key over all dispatchers, and one of every key before a
 * second of any.
 */
export async function claimDeliveries(sql: Sql, options: { now: Date; limit: number }): Promise<ClaimedDelivery[]> {
  return withSigningKeys(sql, await deliveryQueue.claim(sql, options));
}
