import type { BlockRef, ChainHead } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { Lease } from '@/lib/deposits/types';
import { lockCursor, placeCursor } from './repository';

/** Where reading a chain begins. */
export interface ChainStart {
  genesisHash: string;
  /** Block on which the cursor is placed: nothing in it or below is read. */
  block: BlockRef;
  /** Blocks right below it, kept so that a reorg across the start finds its fork. */
  ancestors: BlockRef[];
  head: ChainHead;
}

/**
 * First start: the cursor stands on the node's head. Older blocks cannot pay us, because no address could be assigned
 * before this; so do this before recording a loaded generation.
 * @throws LeaseLostError
 */
export async function startCursor(db: Database, lease: Lease, start: ChainStart): Promise<void> {
  await transaction(db, async (sql) => {
    const { epoch } = await lockCursor(sql, lease);
    await placeCursor(sql, lease, { ...start, epoch });
  });
}
