import { LoginBody, SessionView } from '@/lib/api-schema/auth';
import { loginUser } from '@/lib/auth/login-user';
import { defineRoute } from '@/lib/http/define-route';
import { loginDoor, loginLimits } from '@/lib/http/login-limits';
import { otherMethods } from '@/lib/http/other-methods';
import { signInHere } from '@/lib/http/sign-in-here';

/** POST /api/auth/login: a session for an account. */
export const POST = defineRoute({
  auth: 'none',
  door: loginDoor,
  body: LoginBody,
  response: SessionView,
  handler: async (context) => {
    const { uses, isKnown, browser } = await loginLimits(context);
    await context.count(uses);
    const opened = await loginUser(context.db, { body: context.body, isKnown, clock: context.clock });
    return signInHere(context, opened, browser);
  },
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
