import type { RegisterBody } from '@/lib/api-schema/auth';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { AppError } from '@/lib/shared/errors';
import { MESSAGES } from '@/lib/shared/messages';
import type { Clock } from '@/lib/shared/time';
import { isCommonPassword } from './common-passwords';
import { hashPassword } from './password';
import { insertUser } from './repository';
import { type OpenedSession, openSession } from './sessions';

export interface RegisterUserOptions {
  body: RegisterBody;
  /** May strangers make an account (`REGISTRATION`)? */
  registration: 'open' | 'closed';
  clock: Clock;
}

/**
 * Makes an account and signs it in. Of two that ask for one email at the same time, the unique key lets one win.
 * @throws {AppError} `registration_closed`, `invalid_request` for a common password, `email_taken`, `too_busy` when too many
 *   passwords wait to be hashed
 */
export async function registerUser(
  db: Database,
  { body, registration, clock }: RegisterUserOptions,
): Promise<OpenedSession> {
  if (registration !== 'open') throw new AppError('registration_closed');
  if (await isCommonPassword(body.password)) throw passwordTooCommon();
  const passwordHash = await hashPassword(body.password);
  return transaction(db, async (sql) => {
    const { name, email } = body;
    const user = await insertUser.first(sql, { name, email, passwordHash, createdAt: clock() });
    if (!user) throw emailTaken();
    return openSession(sql, user, clock);
  });
}

function emailTaken(): AppError {
  const detail = MESSAGES.errors.email_taken;
  return new AppError('email_taken', { errors: [{ pointer: '/email', code: 'email_taken', detail }] });
}

function passwordTooCommon(): AppError {
  const message = 'Questa password è tra le più usate e si indovina subito: scegline un’altra.';
  return new AppError('invalid_request', {
    message,
    errors: [{ pointer: '/password', code: 'common_password', detail: message }],
  });
}
