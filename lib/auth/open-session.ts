import { randomUUID } from 'node:crypto';
import type { UserView } from '@/lib/api-schema/auth';
import type { Sql } from '@/lib/db/database';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { deleteExpiredSessions, insertSession } from './repository';

/** A session ends this long after it was opened, used or not. */
export const SESSION_SECONDS = 7 * 24 * 3600;

/** A session that was just opened, for the token that points at it. */
export interface OpenedSession {
  sessionId: string;
  user: UserView;
}

/** Opens a session for a user, and clears that user's dead ones away. */
export async function openSession(sql: Sql, user: UserView, clock: Clock): Promise<OpenedSession> {
  const createdAt = clock();
  const sessionId = randomUUID();
  await deleteExpiredSessions(sql, user.id, createdAt);
  await insertSession(sql, {
    id: sessionId,
    userId: user.id,
    createdAt,
    expiresAt: addSeconds(createdAt, SESSION_SECONDS),
  });
  return { sessionId, user };
}
