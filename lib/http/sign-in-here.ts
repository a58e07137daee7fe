import type { SessionView } from '@/lib/api-schema/auth';
import { rememberAddress } from '@/lib/auth/known-addresses';
import { type OpenedSession, SESSION_SECONDS } from '@/lib/auth/sessions';
import { requireEnv } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { deviceToken, type KnownBrowser } from './device-token';
import { encodeSessionToken } from './session-token';

/**
 * The session ends by the database's time, the token by the clock of whichever machine reads it: later by more than a clock
 * is ever wrong, so that it alone throws nobody out.
 */
const TOKEN_SECONDS = SESSION_SECONDS + 366 * 24 * 3600;

interface Place {
  readonly db: Database;
  readonly clientAddress: string;
  clock: Clock;
}

/**
 * Remembers address and browser of a login or a registration that succeeded, so that its owner is no stranger here from
 * now on, and makes the answer: the session's token, under both of its names, the browser's token, and the user.
 * @param browser as it showed itself; null for one without a device token
 */
export async function signInHere(
  { db, clientAddress: address, clock }: Place,
  { sessionId, user }: OpenedSession,
  browser: KnownBrowser | null,
): Promise<SessionView> {
  const secret = requireEnv('AUTH_SECRET');
  await rememberAddress(db, user.id, { email: user.email, address, secret, clock });
  const token = await encodeSessionToken(sessionId, secret, TOKEN_SECONDS);
  return { access_token: token, token, device_token: await deviceToken(user.email, browser), user };
}
