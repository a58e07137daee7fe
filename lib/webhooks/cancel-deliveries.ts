import type { Sql } from '@/lib/db/database';

/**
 * Cancels what was not yet delivered for a key: call it in the transaction that deactivates the key. An attempt that is under
 * way may still arrive; its outcome is not written any more.
 * @param only.url just the deliveries to this URL; left out, all
 * @returns how many were cancelled
 */
export async function cancelDeliveries(sql: Sql, apiKeyId: number, only: { url?: string } = {}): Promise<number> {
  const { rowCount } = await sql.query(
    `UPDATE webhook_delivery SET status = 'cancelled', completed_at = now(), lease_token = NULL, lease_expires_at = NULL
     WHERE api_key_id = $1 AND status = 'pending' AND ($2::text IS NULL OR url = $2)`,
    [apiKeyId, only.url ?? null],
  );
  return rowCount ?? 0;
}
