import type { LoginBody } from '@/lib/api-schema/auth';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { verifyPassword } from './password';
import { findCredentials } from './repository';
import { type OpenedSession, openSession } from './sessions';

export interface LoginUserOptions {
  body: LoginBody;
  /** From a place where this account was signed in to before: served before strangers when many wait. */
  isKnown: boolean;
  clock: Clock;
}

/**
 * Signs a user in. An unknown email, a wrong password and a disabled account are one and the same refusal.
 * @throws {AppError} `invalid_credentials`, `too_busy` when too many passwords wait to be checked
 */
export async function loginUser(db: Database, { body, isKnown, clock }: LoginUserOptions): Promise<OpenedSession> {
  const credentials = await findCredentials.first(db.pool, { email: body.email });
  const isRight = await verifyPassword(
    body.password,
    credentials?.passwordHash ?? null,
    isKnown ? 'known' : 'strangers',
  );
  if (!credentials || !isRight || credentials.disabledAt) throw new AppError('invalid_credentials');
  const { passwordHash, disabledAt, ...user } = credentials;
  return openSession(db.pool, user, clock);
}
