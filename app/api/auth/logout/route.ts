import { LogoutView } from '@/lib/api-schema/auth';
import { logoutUser } from '@/lib/auth/sessions';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';

/** POST /api/auth/logout: ends the caller's session; the token is dead at once. */
export const POST = defineRoute({
  auth: 'session',
  response: LogoutView,
  handler: async ({ db, principal }) => {
    await logoutUser(db, principal.sessionId);
    return { success: true as const };
  },
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
