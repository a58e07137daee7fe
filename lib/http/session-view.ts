import type { SessionView } from '@/lib/api-schema/auth';
import { type OpenedSession, SESSION_SECONDS } from '@/lib/auth/open-session';
import { requireEnv } from '@/lib/config/env';
import { encodeSessionToken } from './session-token';

/** The answer to a login or a registration: the session's token, under both of its names, and the user. */
export async function sessionView({ sessionId, user }: OpenedSession): Promise<SessionView> {
  const token = await encodeSessionToken(sessionId, requireEnv('AUTH_SECRET'), SESSION_SECONDS);
  return { access_token: token, token, user };
}
