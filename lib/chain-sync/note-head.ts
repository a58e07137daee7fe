import type { ChainHead } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import type { Cursor, Lease } from '@/lib/deposits/types';
import { COIN_INFO } from '@/lib/shared/coins';
import { updateHead } from './repository';

/**
 * Notes a successful look at the node, whether or not it has new blocks; health reads its age.
 * @returns the cursor, and the committed generation of the address pool
 * @throws LeaseLostError
 */
export async function noteHead(
  db: Database,
  lease: Lease,
  head: ChainHead,
): Promise<Cursor & { poolGeneration: bigint }> {
  return updateHead(db.pool, lease, head, COIN_INFO[lease.coin].family);
}
