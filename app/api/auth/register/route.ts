import { RegisterBody, SessionView } from '@/lib/api-schema/auth';
import { registerUser } from '@/lib/auth/register-user';
import { env } from '@/lib/config/env';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS, REGISTRATION_LIMITS } from '@/lib/http/doors';
import { otherMethods } from '@/lib/http/other-methods';
import { signInHere } from '@/lib/http/sign-in-here';

/** POST /api/auth/register: a new account, signed in. */
export const POST = defineRoute({
  auth: 'none',
  door: DOORS.register,
  body: RegisterBody,
  response: SessionView,
  status: 201,
  limits: ({ clientAddress }) => [
    { limit: REGISTRATION_LIMITS.byAddress, key: clientAddress },
    { limit: REGISTRATION_LIMITS.takenByAddress, key: clientAddress },
    { limit: REGISTRATION_LIMITS.inAll, key: '' },
  ],
  handler: async (context) => {
    const { db, body, clock } = context;
    return signInHere(context, await registerUser(db, { body, registration: env().REGISTRATION, clock }), null);
  },
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
