import type { MemoryBlock, MemoryTransfer } from './memory-block';

/** Where the transactions of replaced blocks go. `mixed` takes one of the others for each. */
export type OrphanFate = 'same place' | 'last block' | 'mempool' | 'lost' | 'mixed';

export interface Reorg {
  /** Blocks that are replaced. */
  depth: number;
  fate: OrphanFate;
  /** Blocks that the new branch has more. */
  extraBlocks: number;
  /** The new blocks were mined just now, instead of at the time of those that they replace. */
  isLate: boolean;
}

const FATES = ['same place', 'last block', 'mempool', 'lost'] as const;

/**
 * Deals the transactions of replaced blocks out to the new branch.
 * @returns the transfers of each new block, and those that wait in the mempool again
 */
export function placeOrphans(
  replaced: readonly MemoryBlock[],
  { fate, extraBlocks }: Reorg,
): { placed: MemoryTransfer[][]; waiting: MemoryTransfer[] } {
  const placed = Array.from({ length: replaced.length + extraBlocks }, (): MemoryTransfer[] => []);
  const waiting: MemoryTransfer[] = [];
  const last = placed.at(-1) ?? waiting;
  replaced.forEach((block, index) => {
    for (const transfer of block.transfers) {
      const own = fate === 'mixed' ? fateOf(transfer) : fate;
      if (own === 'same place') (placed[index] ?? last).push(transfer);
      if (own === 'last block') last.push(transfer);
      if (own === 'mempool') waiting.push(transfer);
    }
  });
  return { placed, waiting };
}

/** Another one for each transaction, and always the same for the same. */
function fateOf({ txHash }: MemoryTransfer): (typeof FATES)[number] {
  return FATES[Number.parseInt(txHash.slice(-2), 16) % FATES.length] ?? 'lost';
}
