import { createApiKey } from '@/lib/api-keys/create-api-key';
import { listApiKeys } from '@/lib/api-keys/read-api-keys';
import { ApiKeyBody, ApiKeyList, CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import { requireEnv } from '@/lib/config/env';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { webhookUrlPolicy } from '@/lib/security/webhook-url-policy';

/** GET /api/apikeys: the caller's keys, masked. */
export const GET = defineRoute({
  auth: 'session',
  response: ApiKeyList,
  handler: async ({ db, principal }) => ({ items: await listApiKeys(db, principal.userId) }),
});

/** POST /api/apikeys: a new key, whole, with the secret that is shown this once. */
export const POST = defineRoute({
  auth: 'session',
  body: ApiKeyBody,
  response: CreatedApiKeyView,
  status: 201,
  handler: ({ db, principal, body, clock }) =>
    createApiKey(db, {
      userId: principal.userId,
      body,
      sealKey: requireEnv('APP_SEAL_KEY'),
      webhookPolicy: webhookUrlPolicy(),
      clock,
    }),
});

export const { HEAD, PUT, PATCH, DELETE } = otherMethods('GET', 'POST');
