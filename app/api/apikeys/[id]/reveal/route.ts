import { revealApiKey } from '@/lib/api-keys/reveal-api-key';
import { RevealedApiKeyView } from '@/lib/api-schema/api-keys';
import { IdParam } from '@/lib/api-schema/common';
import { requireEnv } from '@/lib/config/env';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';

/** POST /api/apikeys/{id}/reveal: the whole key, written into the audit. */
export const POST = defineRoute({
  auth: 'session',
  params: IdParam,
  response: RevealedApiKeyView,
  handler: ({ db, principal: { userId }, params: { id }, clock }) =>
    revealApiKey(db, { userId, id, sealKey: requireEnv('APP_SEAL_KEY'), clock }),
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
