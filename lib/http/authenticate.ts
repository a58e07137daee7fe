import { authenticateApiKey } from '@/lib/api-keys/key-uses';
import type { UserView } from '@/lib/api-schema/auth';
import { findSession } from '@/lib/auth/sessions';
import { requireEnv } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { decodeSessionToken } from './session-token';

/** Who may call a route: anybody, a signed-in person, also an integrator with an `X-API-Key`, or operators only. */
export type Auth = 'none' | 'session' | 'sessionOrApiKey' | 'admin';

interface UserPrincipal {
  kind: 'user';
  userId: number;
  sessionId: string;
  user: UserView;
}

interface ApiKeyPrincipal {
  kind: 'apiKey';
  /** The merchant that the key belongs to. */
  userId: number;
  apiKeyId: number;
}

type Principal = UserPrincipal | ApiKeyPrincipal;

/** What a handler gets to know of its caller under each `Auth`. */
export type PrincipalOf<A extends Auth> = {
  none: null;
  session: UserPrincipal;
  sessionOrApiKey: Principal;
  admin: UserPrincipal;
}[A];

/** What is needed to find out; the database is touched only for what looks like ours. */
interface AuthContext {
  readonly db: Database;
  clock: Clock;
}

/**
 * Finds out who calls. Where keys are welcome, an `X-API-Key` that was sent decides alone, also beside a good token.
 * @throws {AppError} `unauthorized`, `invalid_api_key`, `forbidden` for an operator's route
 */
export async function authenticate<A extends Auth>(
  auth: A,
  headers: Headers,
  context: AuthContext,
): Promise<PrincipalOf<A>> {
  if (auth === 'none') return null as PrincipalOf<A>;
  const apiKey = auth === 'sessionOrApiKey' ? headers.get('x-api-key') : null;
  const principal = apiKey === null ? await bySession(headers, context) : await byApiKey(apiKey, context);
  if (auth === 'admin' && !(principal.kind === 'user' && principal.user.isAdmin)) throw new AppError('forbidden');
  return principal as PrincipalOf<A>;
}

async function bySession(headers: Headers, context: AuthContext): Promise<UserPrincipal> {
  const token = /^Bearer +(\S+)$/i.exec(headers.get('authorization') ?? '')?.[1];
  const sessionId = token ? await decodeSessionToken(token, requireEnv('AUTH_SECRET')) : null;
  const user = sessionId ? await findSession(context.db, sessionId, context.clock) : null;
  if (!sessionId || !user) throw new AppError('unauthorized');
  return { kind: 'user', userId: user.id, sessionId, user };
}

async function byApiKey(key: string, context: AuthContext): Promise<ApiKeyPrincipal> {
  const found = await authenticateApiKey(context.db, key, context.clock());
  if (!found) throw new AppError('invalid_api_key');
  return { kind: 'apiKey', ...found };
}
