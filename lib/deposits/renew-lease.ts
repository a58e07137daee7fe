import type { Database } from '@/lib/db/database';
import { extendLease } from './cursor-repository';
import type { Lease } from './types';

/** Keeps a lease for another `ttlMs` milliseconds. @returns false when a newer one exists */
export async function renewLease(db: Database, lease: Lease, ttlMs: number): Promise<boolean> {
  return extendLease(db.pool, lease, ttlMs);
}
