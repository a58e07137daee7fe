import type { ChainStart } from '@/lib/chain-sync/start-cursor';
import { type BlockRef, type ChainAdapter, ChainError, type ChainHead } from '@/lib/chains/types';

/** Ethereum is final after two to three epochs of 32 blocks: a reorg that goes deeper is refused anyway. */
const ANCESTORS = 64;

/**
 * What a cursor needs to begin at the head: the chain's identity, the head block and the headers below it.
 * @throws ChainError when the node cannot answer, or the chain changed while it was asked
 */
export async function readChainStart(adapter: ChainAdapter, head: ChainHead): Promise<ChainStart> {
  const genesisHash = await adapter.genesisHash();
  const block = await adapter.block(head.height);
  const ancestors: BlockRef[] = [];
  for (let child = block; child.height > 0n && ancestors.length < ANCESTORS; ) {
    const parent = await adapter.block(child.height - 1n);
    if (parent.hash !== child.parentHash)
      throw new ChainError('invalid_answer', `block ${child.height} does not follow the block before it`);
    ancestors.unshift(parent);
    child = parent;
  }
  return { genesisHash, block, ancestors, head };
}
