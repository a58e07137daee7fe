import type { KnownAddress, Session, User } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

const USER = 'u.id, u.uuid, u.name, u.email, u.is_admin AS "isAdmin"';
type UserRow = Row<User, 'id' | 'uuid' | 'name' | 'email' | 'isAdmin'>;

/** Makes an account; no row when the email has one already. */
export const insertUser = statement<Pick<User, 'name' | 'email' | 'passwordHash' | 'createdAt'>, UserRow>(
  'auth.insert-user',
  `INSERT INTO user_account AS u (name, email, password_hash, created_at) VALUES ($name, $email, $passwordHash, $createdAt)
   ON CONFLICT (email) DO NOTHING RETURNING ${USER}`,
);

/** What a login needs of the account with an email, which is in lower case. */
export const findCredentials = statement<{ email: string }, UserRow & Row<User, 'passwordHash' | 'disabledAt'>>(
  'auth.find-credentials',
  `SELECT ${USER}, u.password_hash AS "passwordHash", u.disabled_at AS "disabledAt"
   FROM user_account u WHERE u.email = $email`,
);

/** Sets the operator's flag of the account with an email. */
export const updateIsAdmin = statement<{ email: string; isAdmin: boolean }>(
  'auth.update-is-admin',
  'UPDATE user_account SET is_admin = $isAdmin WHERE email = $email',
);

/** What a merchant decided about payments that do not fit to the letter. */
export const findPaymentRules = statement<{ userId: number }, Row<User, 'toleranceBasisPoints' | 'latePolicy'>>(
  'auth.find-payment-rules',
  `SELECT tolerance_basis_points AS "toleranceBasisPoints", late_policy AS "latePolicy"
   FROM user_account WHERE id = $userId`,
);

export const updatePaymentRules = statement<{ userId: number } & Pick<User, 'toleranceBasisPoints' | 'latePolicy'>>(
  'auth.update-payment-rules',
  `UPDATE user_account SET tolerance_basis_points = $toleranceBasisPoints, late_policy = $latePolicy::late_policy
   WHERE id = $userId`,
);

export const insertSession = statement<Session>(
  'auth.insert-session',
  'INSERT INTO session (id, user_id, created_at, expires_at) VALUES ($id, $userId, $createdAt, $expiresAt)',
);

/** The user of a session that lives at `now` and is not disabled. */
export const findSessionUser = statement<{ sessionId: string; now: Date }, UserRow>(
  'auth.find-session-user',
  `SELECT ${USER} FROM session s JOIN user_account u ON u.id = s.user_id
   WHERE s.id = $sessionId AND s.expires_at > $now AND u.disabled_at IS NULL`,
  { prepared: true },
);

export const deleteSession = statement<{ sessionId: string }>(
  'auth.delete-session',
  'DELETE FROM session WHERE id = $sessionId',
);

/** Clears a user's sessions away that have run out. */
export const deleteSessionsOfUser = statement<{ userId: number; now: Date }>(
  'auth.delete-sessions-of-user',
  'DELETE FROM session WHERE user_id = $userId AND expires_at <= $now',
);

/** Removes sessions that have run out; they open nothing any more. */
export const deleteExpiredSessions = statement<{ now: Date }>(
  'auth.delete-expired-sessions',
  'DELETE FROM session WHERE expires_at <= $now',
);

/** Has this address signed in since `after`? A row says so. */
export const findKnownAddress = statement<
  Pick<KnownAddress, 'addressHash'> & { after: Date },
  Row<KnownAddress, 'userId'>
>(
  'auth.find-known-address',
  'SELECT user_id AS "userId" FROM known_address WHERE address_hash = $addressHash AND seen_at > $after',
);

export const upsertKnownAddress = statement<KnownAddress>(
  'auth.upsert-known-address',
  `INSERT INTO known_address (address_hash, user_id, seen_at) VALUES ($addressHash, $userId, $seenAt)
   ON CONFLICT (address_hash) DO UPDATE SET seen_at = excluded.seen_at`,
);

/** Forgets a user's addresses but for the `kept` that signed in last, and those that have not since `before`. */
export const deleteOldKnownAddresses = statement<{ userId: number; kept: number; before: Date }>(
  'auth.delete-old-known-addresses',
  `DELETE FROM known_address WHERE user_id = $userId AND (seen_at <= $before OR address_hash NOT IN (
     SELECT k.address_hash FROM known_address k WHERE k.user_id = $userId ORDER BY k.seen_at DESC LIMIT $kept))`,
);
