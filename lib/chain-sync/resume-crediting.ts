import type { Database } from '@/lib/db/database';
import type { Lease } from '@/lib/deposits/types';
import { setPausedReason } from './repository';

/** Ends a pause. @throws LeaseLostError */
export async function resumeCrediting(db: Database, lease: Lease): Promise<void> {
  await setPausedReason(db.pool, lease, null);
}
