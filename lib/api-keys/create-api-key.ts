import { randomUUID } from 'node:crypto';
import type { ApiKeyBody, CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { checkWebhookUrl } from '@/lib/security/check-webhook-url';
import { seal } from '@/lib/security/seal';
import type { WebhookUrlPolicy } from '@/lib/security/webhook-url-policy';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { generateApiKey, generateWebhookSecret, hashApiKey, maskApiKey } from './key-format';
import { insertApiKey, type NewApiKey } from './owned-key-repository';
import { toApiKeyView } from './read-api-keys';
import { sealContext } from './seal-context';

export interface CreateApiKeyOptions {
  userId: number;
  body: ApiKeyBody;
  /** `APP_SEAL_KEY`, 32 bytes. */
  sealKey: Uint8Array;
  webhookPolicy: WebhookUrlPolicy;
  /** How many active keys one merchant may have. */
  mostActive: number;
  clock: Clock;
}

/** A key is free when its owner gives one up, and nobody knows when: a try a minute later does no harm. */
const RETRY_SECONDS = 60;

/**
 * Makes a key with its webhook signing secret. Both are stored sealed and bound to the row.
 * @returns the only answer that ever holds the secret
 * @throws {AppError} `webhook_url_refused`, `api_keys_exceeded`
 */
export async function createApiKey(
  db: Database,
  { userId, body, sealKey, webhookPolicy, mostActive, clock }: CreateApiKeyOptions,
): Promise<CreatedApiKeyView> {
  const refusal = body.webhookUrl && checkWebhookUrl(body.webhookUrl, webhookPolicy);
  if (refusal) throw refusal;
  const uuid = randomUUID();
  const key = generateApiKey();
  const secret = generateWebhookSecret();
  const stored: NewApiKey = {
    uuid,
    userId,
    name: body.name,
    description: body.description,
    webhookUrl: body.webhookUrl,
    keyHash: hashApiKey(key),
    keyMask: maskApiKey(key),
    keySealed: seal(Buffer.from(key), sealKey, sealContext('key', uuid)),
    secretSealed: seal(Buffer.from(secret), sealKey, sealContext('secret', uuid)),
    createdAt: clock(),
  };
  const row = await transaction(db, (sql) => insertApiKey(sql, stored, mostActive));
  if (!row) throw new AppError('api_keys_exceeded', { retryAfterSeconds: RETRY_SECONDS });
  return { ...toApiKeyView(row), key, secret };
}
