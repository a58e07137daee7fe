import type { ApiKey, User, WebhookAttempt, WebhookDelivery } from '@/lib/db/generated/client';
import { type Lease, leasedQueue } from '@/lib/db/leased-queue';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** A delivery that this process has claimed, with the API key that signs it. */
export type ClaimedDelivery = Lease<string> &
  Row<WebhookDelivery, 'eventId' | 'apiKeyId' | 'body'> & {
    /** Where the key's notifications go now; null when nowhere: it has no address any more, or is switched off. */
    url: string | null;
    keyUuid: ApiKey['uuid'];
    /** Sealed with APP_SEAL_KEY under the context of its column and row. */
    secretSealed: ApiKey['secretSealed'];
  };

/** So many deliveries of one API key are under way at a time, over all dispatchers: a slow endpoint holds no more than that. */
const IN_FLIGHT_PER_KEY = 4;

/**
 * The delivery log as a queue. Of each key only its first four due deliveries are looked at, leased ones included, which is
 * what bounds them; and the first of every key comes before the second of any. The keys are found by hopping along the index
 * `webhook_delivery_due`, so that a dead endpoint's backlog costs nothing however long it is.
 */
export const deliveryQueue = leasedQueue<ClaimedDelivery>({
  name: 'webhooks.queue',
  table: 'webhook_delivery',
  doneColumn: 'completed_at',
  columns: `q.event_id AS "eventId", q.api_key_id AS "apiKeyId", q.body, k.uuid AS "keyUuid",
    CASE WHEN k.is_active THEN k.webhook_url END AS url, k.secret_sealed AS "secretSealed"`,
  beside: { table: 'api_key k', on: 'k.id = q.api_key_id' },
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
      WHERE d.status = 'pending' AND d.api_key_id = waiting.api_key_id AND d.next_attempt_at <= now()
      ORDER BY d.next_attempt_at, d.id LIMIT ${IN_FLIGHT_PER_KEY}
    ) head`,
});

/** Cancels what is pending for a key, which it locks first: a change of the key cancels or moves the same rows. */
export const cancelPending = statement<{ apiKeyId: number }>(
  'webhooks.cancel-pending',
  `WITH key AS MATERIALIZED (SELECT id FROM api_key WHERE id = $apiKeyId FOR NO KEY UPDATE)
   UPDATE webhook_delivery d SET status = 'cancelled', completed_at = now(), lease_token = NULL, lease_expires_at = NULL
   FROM key WHERE d.api_key_id = key.id AND d.status = 'pending'`,
);

/** Keeps an attempt in the delivery's log. */
export const insertAttempt = statement<Row<WebhookAttempt, keyof WebhookAttempt>>(
  'webhooks.insert-attempt',
  `INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, http_status, error_code, response)
   VALUES ($deliveryId, $number, $startedAt, $durationMs, $httpStatus, $errorCode, $response)`,
  { prepared: true },
);

/** Whom to write to about a key, and the key's name. */
export const findKeyOwner = statement<{ apiKeyId: number }, Row<User, 'email'> & { keyName: ApiKey['name'] }>(
  'webhooks.find-key-owner',
  `SELECT u.email, k.name AS "keyName" FROM api_key k JOIN user_account u ON u.id = k.user_id WHERE k.id = $apiKeyId`,
);

/** Removes up to `limit` deliveries that were over before `before`, with their attempts. */
export const deleteOldDeliveries = statement<{ before: Date; limit: number }>(
  'webhooks.delete-old-deliveries',
  `WITH old AS MATERIALIZED (
     SELECT ARRAY(SELECT id FROM webhook_delivery WHERE status <> 'pending' AND completed_at < $before
       ORDER BY completed_at LIMIT $limit FOR UPDATE SKIP LOCKED) AS ids
   ), attempts AS (
     DELETE FROM webhook_attempt WHERE delivery_id = ANY((SELECT ids FROM old)::uuid[])
   )
   DELETE FROM webhook_delivery WHERE id = ANY((SELECT ids FROM old)::uuid[])`,
);
