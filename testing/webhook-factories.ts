import { randomBytes, randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Sql } from '@/lib/db/database';
import { seal } from '@/lib/security/seal';

const NumberId = z.object({ id: z.number().int() });
const BigId = z.object({ id: z.bigint() });

export interface SigningApiKey {
  id: number;
  uuid: string;
  /** Webhook signing secret, `whsec_…`. */
  secret: string;
}

export interface SigningApiKeyOptions {
  userId: number;
  /** What APP_SEAL_KEY is to the process under test. */
  sealKey: Uint8Array;
  webhookUrl?: string | null;
  isActive?: boolean;
  /** Left out, a fresh one. */
  secret?: string;
}

/** An API key whose signing secret is sealed as in production; the key itself opens nothing. */
export async function makeSigningApiKey(sql: Sql, options: SigningApiKeyOptions): Promise<SigningApiKey> {
  const { userId, sealKey, webhookUrl = null, isActive = true } = options;
  const uuid = randomUUID();
  const secret = options.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  const sealed = Buffer.from(seal(Buffer.from(secret), sealKey, `api_key.secret:${uuid}`));
  const { rows } = await sql.query(
    `INSERT INTO api_key (uuid, user_id, name, webhook_url, key_hash, key_mask, key_sealed, secret_sealed, is_active)
     VALUES ($1, $2, 'Negozio', $3, $4, 'inc_live_test', '\\x00', $5, $6) RETURNING id`,
    [uuid, userId, webhookUrl, randomBytes(32).toString('hex'), sealed, isActive],
  );
  return { id: NumberId.parse(rows[0]).id, uuid, secret };
}

/** A pending invoice for which no coin was chosen. @returns its id */
export async function makeBareInvoice(
  sql: Sql,
  { userId, apiKeyId = null }: { userId: number; apiKeyId?: number | null },
): Promise<number> {
  const { rows } = await sql.query(
    `INSERT INTO invoice (user_id, api_key_id, amount_eur_cents, expiry_minutes, expires_at)
     VALUES ($1, $2, 14850, 60, now() + interval '60 minutes') RETURNING id`,
    [userId, apiKeyId],
  );
  return NumberId.parse(rows[0]).id;
}

/** An event of an invoice, as if it had just been paid. @returns the event's id */
export async function makeInvoiceEvent(sql: Sql, invoiceId: number, sequence = 1): Promise<bigint> {
  const { rows } = await sql.query(
    `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state)
     VALUES ($1, $2, 'statusChanged', 'pending', 'paid', 'settled') RETURNING id`,
    [invoiceId, sequence],
  );
  return BigId.parse(rows[0]).id;
}

/**
 * Adds the deliveries of an event, as its settlement does.
 * @param body what they send instead of the event's own text
 * @returns how many were added
 */
export async function makeDeliveries(sql: Sql, eventId: bigint, body: string | null = null): Promise<number> {
  const { rows } = await sql.query('SELECT enqueue_deliveries(ARRAY[$1]::bigint[]) AS added', [eventId]);
  if (body !== null) await sql.query('UPDATE webhook_delivery SET body = $2 WHERE event_id = $1', [eventId, body]);
  return z.object({ added: z.number().int() }).parse(rows[0]).added;
}
