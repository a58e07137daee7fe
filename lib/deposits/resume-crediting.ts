import type { Database } from '@/lib/db/database';
import { setPausedReason } from './cursor-repository';
import type { Lease } from './types';

/** Ends a pause. @throws LeaseLostError */
export async function resumeCrediting(db: Database, lease: Lease): Promise<void> {
  await setPausedReason(db.pool, lease, null);
}
