import { createHash } from 'node:crypto';
import { authenticateApiKey } from '@/lib/api-keys/key-uses';
import type { UserView } from '@/lib/api-schema/auth';
import { findSession } from '@/lib/auth/sessions';
import { requireEnv } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { processSingleton } from '@/lib/shared/process-singleton';
import type { Clock } from '@/lib/shared/time';
import { CREDENTIAL_LIMITS } from './doors';
import { MemoryWindows } from './memory-windows';
import type { LimitUse } from './rate-limit';
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
  readonly clientAddress: string;
  count(uses: LimitUse[]): Promise<void>;
}

const HOUR_MS = 3_600_000;
const MAX_GOOD = 10_000;

/**
 * Finds out who calls. Where keys are welcome, an `X-API-Key` that was sent decides alone, also beside a good token.
 * @throws {AppError} `unauthorized`, `invalid_api_key`, `forbidden` for an operator's route, `too_many_requests`
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
  const found = token ? await tried(token, context, () => userOf(token, context)) : null;
  if (!found) throw new AppError('unauthorized');
  return found;
}

async function userOf(token: string, context: AuthContext): Promise<UserPrincipal | null> {
  const sessionId = await decodeSessionToken(token, requireEnv('AUTH_SECRET'));
  const user = sessionId ? await findSession(context.db, sessionId, context.clock) : null;
  return sessionId && user ? { kind: 'user', userId: user.id, sessionId, user } : null;
}

async function byApiKey(key: string, context: AuthContext): Promise<ApiKeyPrincipal> {
  const found = await tried(key, context, () => authenticateApiKey(context.db, key, context.clock()));
  if (!found) throw new AppError('invalid_api_key');
  return { kind: 'apiKey', ...found };
}

/**
 * Looks a token or a key up, and counts those that are no good by address before they cost anything. One that was good
 * here within the hour is looked up whatever others at its address try: nobody locks out a neighbour's shop.
 */
async function tried<T>(credential: string, context: AuthContext, look: () => Promise<T | null>): Promise<T | null> {
  const good = processSingleton('good-credentials', () => new MemoryWindows(HOUR_MS, MAX_GOOD));
  const name = createHash('sha256').update(credential).digest('base64url');
  const nowMs = performance.now();
  if (!good.peek(name, nowMs)) await context.count(credentialUses(context.clientAddress));
  const found = await look();
  if (found) good.set(name, { used: 1, endsAtMs: nowMs + HOUR_MS }, nowMs);
  else good.delete(name);
  return found;
}

function credentialUses(address: string): LimitUse[] {
  return [
    { limit: CREDENTIAL_LIMITS.byAddress, key: address },
    { limit: CREDENTIAL_LIMITS.inAll, key: '' },
  ];
}
