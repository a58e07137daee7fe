import type { Database } from '@/lib/db/database';
import type { Lease, PauseReason } from '@/lib/deposits/types';
import { setPausedReason } from './repository';

/**
 * Marks a coin as not credited: no new invoices in it until the node shows the known chain again.
 * @throws LeaseLostError
 */
export async function pauseCrediting(db: Database, lease: Lease, reason: PauseReason): Promise<void> {
  await setPausedReason(db.pool, lease, reason);
}
