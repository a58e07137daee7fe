import type { ApiKey } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** Makes an active key dead; a dead one stays as it is. */
export const disableKey = statement<{ id: number; now: Date }>(
  'api-keys.disable',
  'UPDATE api_key SET is_active = false, disabled_at = $now WHERE id = $id AND is_active',
);

/** Writes down who asks for the whole key, in the statement that reads it: no reveal goes without its record. */
export const readSealedKey = statement<{ id: number; userId: number; now: Date }, Row<ApiKey, 'uuid' | 'keySealed'>>(
  'api-keys.read-sealed',
  `WITH owned AS (SELECT id, uuid, key_sealed FROM api_key WHERE id = $id AND user_id = $userId),
        audit AS (INSERT INTO api_key_audit (api_key_id, user_id, action, at) SELECT id, $userId, 'reveal', $now FROM owned)
   SELECT uuid, key_sealed AS "keySealed" FROM owned`,
);

/** An active key of a user who is not disabled. */
export const findActiveKey = statement<{ keyHash: string }, { apiKeyId: number; userId: number }>(
  'api-keys.find-active',
  `SELECT k.id AS "apiKeyId", k.user_id AS "userId" FROM api_key k JOIN user_account u ON u.id = k.user_id
   WHERE k.key_hash = $keyHash AND k.is_active AND u.disabled_at IS NULL`,
  { prepared: true },
);

/**
 * Adds uses to many keys, not against rows that are stored for a key. One process at a time: two that write the same keys
 * could each hold one that the other waits for, behind a transaction that stores rows for both.
 */
export const addKeyUses = statement<{ ids: number[]; counts: number[]; lastUsedAts: Date[] }>(
  'api-keys.add-uses',
  `WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtextextended('uses of api-keys', 0))),
        used AS (SELECT u.* FROM turn, unnest($ids::int[], $counts::int[], $lastUsedAts::timestamptz[]) AS u (id, count, last_used_at)),
        locked AS (SELECT k.id FROM api_key k JOIN used USING (id) ORDER BY k.id FOR NO KEY UPDATE OF k)
   UPDATE api_key k SET usage_count = k.usage_count + used.count,
                        last_used_at = GREATEST(k.last_used_at, used.last_used_at)
   FROM used JOIN locked USING (id) WHERE k.id = used.id`,
);

/**
 * Makes everybody else who would move a key's webhook, or switch it off, wait for the end of the transaction. A change of
 * the key follows to its deliveries: whoever writes both locks the key first.
 */
export const lockKey = statement<{ id: number }>(
  'api-keys.lock',
  'SELECT 1 FROM api_key WHERE id = $id FOR NO KEY UPDATE',
);

/** Takes the webhook URL off a key, if it still is this one. */
export const clearWebhookUrl = statement<{ id: number; url: string }>(
  'api-keys.clear-webhook-url',
  'UPDATE api_key SET webhook_url = NULL WHERE id = $id AND webhook_url = $url',
);

/** Removes up to `limit` records of a reveal that are older than `before`. */
export const deleteOldKeyAudits = statement<{ before: Date; limit: number }>(
  'api-keys.delete-old-audits',
  `DELETE FROM api_key_audit WHERE id = ANY(ARRAY(
     SELECT id FROM api_key_audit WHERE at < $before ORDER BY at LIMIT $limit))`,
);
