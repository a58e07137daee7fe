import { leasedQueue } from '@/lib/db/leased-queue';

/** So many deliveries of one API key are under way at a time, over all dispatchers: a slow endpoint holds no more than that. */
const IN_FLIGHT_PER_KEY = 4;

/** Longer than the longest attempt (15 s and its bookkeeping). */
const LEASE_SECONDS = 30;

/**
 * The delivery log as a queue. Of each key only its first four due deliveries are looked at, leased ones included, which is
 * what bounds them; and the first of every key comes before the second of any. The keys are found by hopping along the index
 * `webhook_delivery_due`, so that a dead endpoint's backlog costs nothing however long it is.
 */
export const deliveryQueue = leasedQueue({
  table: 'webhook_delivery',
  doneColumn: 'completed_at',
  leaseSeconds: LEASE_SECONDS,
  candidates: `
    WITH RECURSIVE waiting (api_key_id) AS (
      (SELECT api_key_id FROM webhook_delivery WHERE status = 'pending' ORDER BY api_key_id LIMIT 1)
      UNION ALL
      SELECT (SELECT d.api_key_id FROM webhook_delivery d
              WHERE d.status = 'pending' AND d.api_key_id > waiting.api_key_id ORDER BY d.api_key_id LIMIT 1)
      FROM waiting WHERE waiting.api_key_id IS NOT NULL
    )
    SELECT head.id, row_number() OVER (PARTITION BY waiting.api_key_id ORDER BY head.next_attempt_at, head.id) AS place
    FROM waiting CROSS JOIN LATERAL (
      SELECT d.id, d.next_attempt_at FROM webhook_delivery d
      WHERE d.status = 'pending' AND d.api_key_id = waiting.api_key_id AND d.next_attempt_at <= $1
      ORDER BY d.next_attempt_at, d.id LIMIT ${IN_FLIGHT_PER_KEY}
    ) head`,
});
