import type { BlockRef, Transfer } from '@/lib/chains/types';

/** A transaction as the chain executes it. A reverted one is in its block, moves nothing, and must not be credited. */
export interface MemoryTransfer extends Transfer {
  succeeds: boolean;
}

export interface MemoryBlock extends BlockRef {
  transfers: MemoryTransfer[];
}
