import type { Database } from '@/lib/db/database';
import { updateIsAdmin } from './repository';

/**
 * Gives a registered person the operator's rights, or takes them back; both hold from the next request on.
 * @param email in any case
 * @returns false when nobody is registered under it
 */
export async function setAdmin(db: Database, email: string, isAdmin: boolean): Promise<boolean> {
  return (await updateIsAdmin.count(db.pool, { email: email.trim().toLowerCase(), isAdmin })) === 1;
}
