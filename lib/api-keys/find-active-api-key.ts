import type { Database } from '@/lib/db/database';
import { hashApiKey } from './key-format';
import { findKeyByHash } from './repository';

/**
 * Whose key it is, in one query. Ask `isApiKey` first: what it refuses needs no database.
 * @returns null for an unknown or dead key, and for the key of a disabled user
 */
export function findActiveApiKey(db: Database, key: string): Promise<{ apiKeyId: number; userId: number } | null> {
  return findKeyByHash(db, hashApiKey(key));
}
