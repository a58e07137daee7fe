import type { UserView } from '@/lib/api-schema/auth';
import type { Sql } from '@/lib/db/database';

const USER = 'u.id, u.uuid, u.name, u.email, u.is_admin AS "isAdmin"';

/** @returns null when the email has an account already */
export async function insertUser(
  sql: Sql,
  user: { name: string; email: string; passwordHash: string; createdAt: Date },
): Promise<UserView | null> {
  const { rows } = await sql.query<UserView>(
    `INSERT INTO user_account AS u (name, email, password_hash, created_at) VALUES ($1, $2, $3, $4)
     ON CONFLICT (email) DO NOTHING RETURNING ${USER}`,
    [user.name, user.email, user.passwordHash, user.createdAt],
  );
  return rows[0] ?? null;
}

export interface Credentials {
  user: UserView;
  passwordHash: string;
  disabledAt: Date | null;
}

/** @param email in lower case */
export async function findCredentials(sql: Sql, email: string): Promise<Credentials | null> {
  const { rows } = await sql.query<UserView & Omit<Credentials, 'user'>>(
    `SELECT ${USER}, u.password_hash AS "passwordHash", u.disabled_at AS "disabledAt"
     FROM user_account u WHERE u.email = $1`,
    [email],
  );
  if (!rows[0]) return null;
  const { passwordHash, disabledAt, ...user } = rows[0];
  return { user, passwordHash, disabledAt };
}

export async function insertSession(
  sql: Sql,
  session: { id: string; userId: number; createdAt: Date; expiresAt: Date },
): Promise<void> {
  await sql.query('INSERT INTO session (id, user_id, created_at, expires_at) VALUES ($1, $2, $3, $4)', [
    session.id,
    session.userId,
    session.createdAt,
    session.expiresAt,
  ]);
}

/** The user of a session that lives at `now` and is not disabled. */
export async function findSessionUser(sql: Sql, sessionId: string, now: Date): Promise<UserView | null> {
  const { rows } = await sql.query<UserView>(
    `SELECT ${USER} FROM session s JOIN user_account u ON u.id = s.user_id
     WHERE s.id = $1 AND s.expires_at > $2 AND u.disabled_at IS NULL`,
    [sessionId, now],
  );
  return rows[0] ?? null;
}

export async function deleteSession(sql: Sql, sessionId: string): Promise<void> {
  await sql.query('DELETE FROM session WHERE id = $1', [sessionId]);
}

export async function deleteExpiredSessions(sql: Sql, userId: number, now: Date): Promise<void> {
  await sql.query('DELETE FROM session WHERE user_id = $1 AND expires_at <= $2', [userId, now]);
}

/** Sets the operator's flag. @returns false when nobody has the email */
export async function updateIsAdmin(sql: Sql, email: string, isAdmin: boolean): Promise<boolean> {
  const { rowCount } = await sql.query('UPDATE user_account SET is_admin = $2 WHERE email = $1', [email, isAdmin]);
  return rowCount === 1;
}
