import type { Database } from '@/lib/db/database';
import type { Lease } from '@/lib/deposits/types';
import { extendLease } from './repository';

/** Keeps a lease for another `ttlMs` milliseconds. @returns false when a newer one exists */
export async function renewLease(db: Database, lease: Lease, ttlMs: number): Promise<boolean> {
  return extendLease(db.pool, lease, ttlMs);
}
