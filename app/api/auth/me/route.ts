import { UserView } from '@/lib/api-schema/auth';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';

/** GET /api/auth/me: the signed-in user. */
export const GET = defineRoute({
  auth: 'session',
  response: UserView,
  handler: async ({ principal }) => principal.user,
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
