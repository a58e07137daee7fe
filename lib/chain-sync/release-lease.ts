import type { Database } from '@/lib/db/database';
import type { Lease } from '@/lib/deposits/types';
import { extendLease } from './repository';

/** Ends a lease at once, so that the next watcher need not wait. A newer lease is left alone. */
export async function releaseLease(db: Database, lease: Lease): Promise<void> {
  await extendLease(db.pool, lease, 0);
}
