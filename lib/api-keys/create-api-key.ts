import { randomUUID } from 'node:crypto';
import type { ApiKeyBody, CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { checkWebhookUrl } from '@/lib/security/check-webhook-url';
import { seal } from '@/lib/security/seal';
import type { WebhookUrlPolicy } from '@/lib/security/webhook-url-policy';
import type { Clock } from '@/lib/shared/time';
import { generateApiKey, generateWebhookSecret, hashApiKey, maskApiKey } from './key-format';
import { insertApiKey } from './owned-key-repository';
import { toApiKeyView } from './read-api-keys';
import { sealContext } from './seal-context';

export interface CreateApiKeyOptions {
  userId: number;
  body: ApiKeyBody;
  /** `APP_SEAL_KEY`, 32 bytes. */
  sealKey: Uint8Array;
  webhookPolicy: WebhookUrlPolicy;
  clock: Clock;
}

/**
 * Makes a key with its webhook signing secret. Both are stored sealed and bound to the row.
 * @returns the only answer that ever holds the secret
 * @throws {AppError} `webhook_url_refused`
 */
export async function createApiKey(
  db: Database,
  { userId, body, sealKey, webhookPolicy, clock }: CreateApiKeyOptions,
): Promise<CreatedApiKeyView> {
  const refusal = body.webhookUrl && checkWebhookUrl(body.webhookUrl, webhookPolicy);
  if (refusal) throw refusal;
  const uuid = randomUUID();
  const key = generateApiKey();
  const secret = generateWebhookSecret();
  const row = await insertApiKey(db, {
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
  });
  return { ...toApiKeyView(row), key, secret };
}
