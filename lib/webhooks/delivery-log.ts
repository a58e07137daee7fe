import type { Sql } from '@/lib/db/database';
import { cancelPending, type EventToDeliver, insertDeliveries } from './repository';

/**
 * Writes an event's deliveries inside the transaction that caused it: to the key that made the invoice and to no other, or, for
 * an invoice made on screen, to every key of its owner; active keys with a webhook URL only. A second call changes nothing.
 * Notify the channel `delivery` after the commit to have them sent at once.
 * @returns how many deliveries were added
 */
export function enqueueDeliveries(sql: Sql, event: EventToDeliver): Promise<number> {
  return insertDeliveries.count(sql, event);
}

/**
 * Cancels what was not yet delivered for a key: call it in the transaction that deactivates the key. An attempt that is under
 * way may still arrive; its outcome is not written any more.
 * @param only.url just the deliveries to this URL; left out, all
 * @returns how many were cancelled
 */
export function cancelDeliveries(sql: Sql, apiKeyId: number, only: { url?: string } = {}): Promise<number> {
  return cancelPending.count(sql, { apiKeyId, url: only.url ?? null });
}
