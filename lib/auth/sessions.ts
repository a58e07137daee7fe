import { randomUUID } from 'node:crypto';
import type { UserView } from '@/lib/api-schema/auth';
import { env } from '@/lib/config/env';
import type { Database, Sql } from '@/lib/db/database';
import { addSeconds, type Clock } from '@/lib/shared/time';
import {
  deleteDeadSessions,
  deleteSession,
  deleteSessionsOfUser,
  findSessionUser,
  insertSession,
  type SessionEnds,
  touchSession,
} from './repository';

/** A session ends this long after it was opened, used or not. */
export const SESSION_SECONDS = 7 * 24 * 3600;

/** A session's use is noted at most this often: no request but the first in so long writes anything. */
const TOUCH_SECONDS = 5 * 60;

/** A session that was just opened, for the token that points at it. */
export interface OpenedSession {
  sessionId: string;
  user: UserView;
}

/** Opens a session for a user, and clears that user's dead ones away. */
export async function openSession(sql: Sql, user: UserView, clock: Clock): Promise<OpenedSession> {
  const now = clock();
  const sessionId = randomUUID();
  await deleteSessionsOfUser.count(sql, { userId: user.id, ...endsAt(now) });
  const expiresAt = addSeconds(now, SESSION_SECONDS);
  await insertSession.count(sql, { id: sessionId, userId: user.id, createdAt: now, expiresAt });
  return { sessionId, user };
}

/**
 * The user of a living session, in one query; once in some minutes its use is noted.
 * @returns null when it was ended, is over or was idle for too long, or its user was disabled
 */
export async function findSession(db: Database, sessionId: string, clock: Clock): Promise<UserView | null> {
  const now = clock();
  const found = await findSessionUser.first(db.pool, { sessionId, ...endsAt(now) });
  if (!found) return null;
  const { lastSeenAt, ...user } = found;
  const before = addSeconds(now, -TOUCH_SECONDS);
  if (lastSeenAt <= before) await touchSession.count(db.pool, { sessionId, now, before });
  return user;
}

/** Ends a session: its token is dead from the next request on. */
export async function logoutUser(db: Database, sessionId: string): Promise<void> {
  await deleteSession.count(db.pool, { sessionId });
}

/** Removes up to `limit` sessions that are over, and as many that were idle for too long. @returns how many */
export function removeDeadSessions(sql: Sql, now: Date, limit: number): Promise<number> {
  return deleteDeadSessions.count(sql, { ...endsAt(now), limit });
}

function endsAt(now: Date): SessionEnds {
  return { now, idleSince: addSeconds(now, -env().SESSION_IDLE_MINUTES * 60) };
}
