import type { ChainHead } from '@/lib/chains/types';

/**
 * Finality as far as blocks were read: what is final beyond them says nothing about the chain that we know.
 * @returns null when the node does not tell
 */
export function finalizedWithin(head: ChainHead, readHeight: bigint): bigint | null {
  if (head.finalizedHeight === null) return null;
  return head.finalizedHeight < readHeight ? head.finalizedHeight : readHeight;
}
