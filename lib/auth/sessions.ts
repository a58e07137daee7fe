import { randomUUID } from 'node:crypto';
import type { UserView } from '@/lib/api-schema/auth';
import type { Database, Sql } from '@/lib/db/database';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { deleteSession, deleteSessionsOfUser, findSessionUser, insertSession } from './repository';

/** A session ends this long after it was opened, used or not. */
export const SESSION_SECONDS = 7 * 24 * 3600;

/** A session that was just opened, for the token that points at it. */
export interface OpenedSession {
  sessionId: string;
  user: UserView;
}

/** Opens a session for a user, and clears that user's dead ones away. */
export async function openSession(sql: Sql, user: UserView, clock: Clock): Promise<OpenedSession> {
  const now = clock();
  const sessionId = randomUUID();
  await deleteSessionsOfUser.count(sql, { userId: user.id, now });
  const expiresAt = addSeconds(now, SESSION_SECONDS);
  await insertSession.count(sql, { id: sessionId, userId: user.id, createdAt: now, expiresAt });
  return { sessionId, user };
}

/**
 * The user of a living session, in one query.
 * @returns null when it was ended or is over, or its user was disabled
 */
export function findSession(db: Database, sessionId: string, clock: Clock): Promise<UserView | null> {
  return findSessionUser.first(db.pool, { sessionId, now: clock() });
}

/** Ends a session: its token is dead from the next request on. */
export async function logoutUser(db: Database, sessionId: string): Promise<void> {
  await deleteSession.count(db.pool, { sessionId });
}
