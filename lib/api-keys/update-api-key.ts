import type { ApiKeyBody, ApiKeyView } from '@/lib/api-schema/api-keys';
import type { Database } from '@/lib/db/database';
import { checkWebhookUrl } from '@/lib/security/check-webhook-url';
import type { WebhookUrlPolicy } from '@/lib/security/webhook-url-policy';
import { AppError } from '@/lib/shared/errors';
import { findOwnedKey, type OwnedKey, updateActiveKey } from './owned-key-repository';
import { toApiKeyView } from './read-api-keys';

export interface UpdateApiKeyOptions extends OwnedKey {
  body: ApiKeyBody;
  webhookPolicy: WebhookUrlPolicy;
}

/**
 * Changes name, description and webhook URL of an active key; what the body leaves out becomes empty.
 * @throws {AppError} `webhook_url_refused`, `not_found`, `api_key_inactive`
 */
export async function updateApiKey(
  db: Database,
  { userId, id, body, webhookPolicy }: UpdateApiKeyOptions,
): Promise<ApiKeyView> {
  const existing = await findOwnedKey(db, { userId, id });
  if (!existing) throw new AppError('not_found');
  const refusal = body.webhookUrl && checkWebhookUrl(body.webhookUrl, webhookPolicy);
  if (refusal) throw refusal;
  const updated = await updateActiveKey(db, { userId, id }, body);
  if (!updated) throw new AppError('api_key_inactive');
  return toApiKeyView(updated);
}
