import type { UserView } from '@/lib/api-schema/auth';
import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { findSessionUser } from './repository';

/**
 * The user of a living session, in one query.
 * @returns null when it was ended or is over, or its user was disabled
 */
export function findSession(db: Database, sessionId: string, clock: Clock): Promise<UserView | null> {
  return findSessionUser(db.pool, sessionId, clock());
}
