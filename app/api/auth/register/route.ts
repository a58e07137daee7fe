import { RegisterBody, SessionView } from '@/lib/api-schema/auth';
import { registerUser } from '@/lib/auth/register-user';
import { env } from '@/lib/config/env';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { RATE_LIMITS } from '@/lib/http/rate-limit';
import { sessionView } from '@/lib/http/session-token';

/** POST /api/auth/register: a new account, signed in. */
export const POST = defineRoute({
  auth: 'none',
  body: RegisterBody,
  response: SessionView,
  status: 201,
  limits: ({ clientAddress }) => [{ limit: RATE_LIMITS.registerByAddress, key: clientAddress }],
  handler: async ({ db, body, clock }) =>
    sessionView(await registerUser(db, { body, registration: env().REGISTRATION, clock })),
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
