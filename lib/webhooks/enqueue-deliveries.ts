import type { Sql } from '@/lib/db/database';

export interface EventToDeliver {
  /** Row of invoice_event. */
  eventId: bigint | string;
  /** Owner of the invoice. */
  userId: number;
  /** Key that the invoice was made with; null when it was made on screen. */
  apiKeyId: number | null;
  /** The exact JSON text to sign and send. */
  body: string;
}

/**
 * Writes an event's deliveries inside the transaction that caused it: to the key that made the invoice and to no other, or, for
 * an invoice made on screen, to every key of its owner; active keys with a webhook URL only. A second call changes nothing.
 * Notify `incassa_delivery` after the commit to have them sent at once.
 * @returns how many deliveries were added
 */
export async function enqueueDeliveries(sql: Sql, event: EventToDeliver): Promise<number> {
  const { rowCount } = await sql.query(
    // Cut to the millisecond, not rounded: a delivery must be due by now for a clock that shows no more than that.
    `INSERT INTO webhook_delivery (event_id, api_key_id, url, body, next_attempt_at)
     SELECT $1, k.id, k.webhook_url, $4, date_trunc('milliseconds', now())
     FROM api_key k
     WHERE k.user_id = $2 AND k.is_active AND k.webhook_url IS NOT NULL AND ($3::int IS NULL OR k.id = $3)
     ON CONFLICT (event_id, api_key_id) DO NOTHING`,
    [String(event.eventId), event.userId, event.apiKeyId, event.body],
  );
  return rowCount ?? 0;
}
