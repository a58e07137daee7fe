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

export const insertSession = statement<Omit<Session, 'lastSeenAt'>>(
  'auth.insert-session',
  `INSERT INTO session (id, user_id, created_at, expires_at, last_seen_at)
   VALUES ($id, $userId, $createdAt, $expiresAt, $createdAt)`,
);

/** The moment by which sessions are over, and that at or before which a session was seen last to be idle for too long. */
export interface SessionEnds {
  now: Date;
  idleSince: Date;
}
const OVER = '(expires_at <= $now OR last_seen_at <= $idleSince)';

/** The user of a session that lives and is not disabled, and when the session was seen last. */
export const findSessionUser = statement<SessionEnds & { sessionId: string }, UserRow & Row<Session, 'lastSeenAt'>>(
  'auth.find-session-user',
  `SELECT ${USER}, s.last_seen_at AS "lastSeenAt" FROM session s JOIN user_account u ON u.id = s.user_id
   WHERE s.id = $sessionId AND NOT ${OVER} AND u.disabled_at IS NULL`,
  { prepared: true },
);

/** Notes that a session is used, unless another request noted it after `before`. */
export const touchSession = statement<{ sessionId: string; now: Date; before: Date }>(
  'auth.touch-session',
  'UPDATE session SET last_seen_at = $now WHERE id = $sessionId AND last_seen_at <= $before',
);

export const deleteSession = statement<{ sessionId: string }>(
  'auth.delete-session',
  'DELETE FROM session WHERE id = $sessionId',
);

/** Clears a user's sessions away that are over. */
export const deleteSessionsOfUser = statement<SessionEnds & { userId: number }>(
  'auth.delete-sessions-of-user',
  `DELETE FROM session WHERE user_id = $userId AND ${OVER}`,
);

/** Removes up to `limit` sessions that have run out, and as many that were idle; they open nothing any more. */
export const deleteDeadSessions = statement<SessionEnds & { limit: number }>(
  'auth.delete-dead-sessions',
  `DELETE FROM session WHERE id = ANY(ARRAY(
     (SELECT id FROM session WHERE expires_at <= $now ORDER BY expires_at LIMIT $limit)
     UNION (SELECT id FROM session WHERE last_seen_at <= $idleSince ORDER BY last_seen_at LIMIT $limit)))`,
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
