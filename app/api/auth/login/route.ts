import { LoginBody, SessionView } from '@/lib/api-schema/auth';
import { loginUser } from '@/lib/auth/login-user';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { RATE_LIMITS } from '@/lib/http/rate-limit';
import { sessionView } from '@/lib/http/session-token';

/** POST /api/auth/login: a session for an account. */
export const POST = defineRoute({
  auth: 'none',
  body: LoginBody,
  response: SessionView,
  limits: ({ body: { email }, clientAddress }) => [
    { limit: RATE_LIMITS.loginByEmailAndAddress, key: `${email} ${clientAddress}` },
    { limit: RATE_LIMITS.loginByEmail, key: email },
    { limit: RATE_LIMITS.loginByAddress, key: clientAddress },
  ],
  limitsCountFailures: true,
  handler: async ({ db, body, clock }) => sessionView(await loginUser(db, { body, clock })),
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
