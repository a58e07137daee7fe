import type { Database } from '@/lib/db/database';
import { deleteSession } from './repository';

/** Ends a session: its token is dead from the next request on. */
export async function logoutUser(db: Database, sessionId: string): Promise<void> {
  await deleteSession(db.pool, sessionId);
}
