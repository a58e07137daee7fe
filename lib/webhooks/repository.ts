import { z } from 'zod';
import type { Sql } from '@/lib/db/database';
import type { Lease } from '@/lib/db/leased-queue';
import type { Attempt } from './attempt';

/** A delivery that this process has claimed, with what it takes to send it. */
export interface ClaimedDelivery extends Lease {
  apiKeyId: number;
  url: string;
  /** The exact text that is signed and sent. */
  body: string;
  /** Attempts that were completed before. */
  attemptCount: number;
  key: SigningKey;
}

/** The API key that a delivery belongs to. */
export interface SigningKey {
  uuid: string;
  isActive: boolean;
  /** Sealed with APP_SEAL_KEY under the context of its column and row. */
  secretSealed: Uint8Array;
}

const DeliverySchema = z
  .object({
    id: z.uuid(),
    lease_token: z.uuid(),
    api_key_id: z.number().int(),
    url: z.string(),
    body: z.string(),
    attempt_count: z.number().int(),
  })
  .transform((row) => ({
    id: row.id,
    leaseToken: row.lease_token,
    apiKeyId: row.api_key_id,
    url: row.url,
    body: row.body,
    attemptCount: row.attempt_count,
  }));

const KeySchema = z.object({
  id: z.number().int(),
  uuid: z.uuid(),
  is_active: z.boolean(),
  secret_sealed: z.instanceof(Uint8Array),
});

/** Completes claimed rows of the queue with their keys. */
export async function withSigningKeys(sql: Sql, rows: unknown[]): Promise<ClaimedDelivery[]> {
  const deliveries = z.array(DeliverySchema).parse(rows);
  if (deliveries.length === 0) return [];
  const ids = [...new Set(deliveries.map(({ apiKeyId }) => apiKeyId))];
  const found = await sql.query('SELECT id, uuid, is_active, secret_sealed FROM api_key WHERE id = ANY($1::int[])', [
    ids,
  ]);
  const keys = new Map(
    z
      .array(KeySchema)
      .parse(found.rows)
      .map((row) => [row.id, toSigningKey(row)]),
  );
  return deliveries.flatMap((delivery) => {
    const key = keys.get(delivery.apiKeyId);
    return key ? [{ ...delivery, key }] : [];
  });
}

function toSigningKey(row: z.infer<typeof KeySchema>): SigningKey {
  return { uuid: row.uuid, isActive: row.is_active, secretSealed: row.secret_sealed };
}

/** Keeps an attempt in the delivery's log. */
export async function insertAttempt(sql: Sql, deliveryId: string, number: number, attempt: Attempt): Promise<void> {
  await sql.query(
    `INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms, http_status, error_code, response)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [
      deliveryId,
      number,
      attempt.startedAt,
      attempt.durationMs,
      attempt.httpStatus,
      attempt.errorCode,
      attempt.response,
    ],
  );
}

/** Takes the webhook URL off a key, if it still is this one. @returns whether it was */
export async function clearWebhookUrl(sql: Sql, apiKeyId: number, url: string): Promise<boolean> {
  const text = 'UPDATE api_key SET webhook_url = NULL WHERE id = $1 AND webhook_url = $2';
  return (await sql.query(text, [apiKeyId, url])).rowCount === 1;
}

const OwnerSchema = z.object({ email: z.string(), key_name: z.string() });

/** Whom to write to about a key, and the key's name. */
export async function findKeyOwner(sql: Sql, apiKeyId: number): Promise<{ email: string; keyName: string }> {
  const { rows } = await sql.query(
    'SELECT u.email, k.name AS key_name FROM api_key k JOIN user_account u ON u.id = k.user_id WHERE k.id = $1',
    [apiKeyId],
  );
  const row = OwnerSchema.parse(rows[0]);
  return { email: row.email, keyName: row.key_name };
}
