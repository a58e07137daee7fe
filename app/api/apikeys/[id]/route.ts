import { deactivateApiKey } from '@/lib/api-keys/deactivate-api-key';
import { getApiKey } from '@/lib/api-keys/read-api-keys';
import { updateApiKey } from '@/lib/api-keys/update-api-key';
import { ApiKeyBody, ApiKeyView } from '@/lib/api-schema/api-keys';
import { IdParam } from '@/lib/api-schema/common';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { webhookUrlPolicy } from '@/lib/security/webhook-url-policy';

/** GET /api/apikeys/{id}: one key, masked. */
export const GET = defineRoute({
  auth: 'session',
  params: IdParam,
  response: ApiKeyView,
  handler: ({ db, principal: { userId }, params: { id } }) => getApiKey(db, { userId, id }),
});

/** PUT /api/apikeys/{id}: name, description and webhook URL anew. */
export const PUT = defineRoute({
  auth: 'session',
  params: IdParam,
  body: ApiKeyBody,
  response: ApiKeyView,
  handler: ({ db, principal: { userId }, params: { id }, body }) =>
    updateApiKey(db, { userId, id, body, webhookPolicy: webhookUrlPolicy() }),
});

/** DELETE /api/apikeys/{id}: deactivates the key; its row stays. */
export const DELETE = defineRoute({
  auth: 'session',
  params: IdParam,
  response: ApiKeyView,
  handler: ({ db, principal: { userId }, params: { id }, clock }) => deactivateApiKey(db, { userId, id, clock }),
});

export const { HEAD, POST, PATCH } = otherMethods('GET', 'PUT', 'DELETE');
