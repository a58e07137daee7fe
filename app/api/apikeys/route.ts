import { createApiKey } from '@/lib/api-keys/create-api-key';
import { listApiKeys } from '@/lib/api-keys/read-api-keys';
import { ApiKeyBody, ApiKeyList, ApiKeysQuery, CreatedApiKeyView } from '@/lib/api-schema/api-keys';
import { env, requireEnv } from '@/lib/config/env';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { page } from '@/lib/http/pagination';
import { webhookUrlPolicy } from '@/lib/security/webhook-url-policy';

/** GET /api/apikeys: one page of the caller's keys, masked; the first has all that are active. */
export const GET = defineRoute({
  auth: 'session',
  query: ApiKeysQuery,
  response: ApiKeyList,
  handler: async ({ db, principal, query }) => {
    const { items, total } = await listApiKeys(db, principal.userId, query);
    return page(items, total, query);
  },
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
      mostActive: env().MAX_ACTIVE_API_KEYS,
      clock,
    }),
});

export const { HEAD, PUT, PATCH, DELETE } = otherMethods('GET', 'POST');
