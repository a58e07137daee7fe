import type { Database } from '@/lib/db/database';
import type { Lease } from '@/lib/deposits/types';
import { setLoadedGeneration } from './repository';

/**
 * Declares that addresses up to a generation are watched, after which they may be assigned to wallets.
 * @throws LeaseLostError
 */
export async function recordLoadedGeneration(db: Database, lease: Lease, generation: bigint): Promise<void> {
  await setLoadedGeneration(db.pool, lease, generation);
}
