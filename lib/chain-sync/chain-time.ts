import { type BlockRef, ChainError, type ChainHead } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { type LookedAt, noteHead } from './cursor-repository';
import type { Lease } from './lease';

/**
 * Refuses blocks that are dated in the future: a chain's time ends invoices, and one block of a node that lies would end all
 * of them.
 * @param now the database's time, not earlier than when the blocks were read
 * @param toleratedSeconds so far ahead they may be (ChainTraits); null on a devnet, whose clock may be moved
 * @throws ChainError
 */
export function requireNotAhead(
  blocks: readonly (Pick<ChainHead, 'height' | 'time'> & Partial<Pick<BlockRef, 'chainTime'>>)[],
  now: Date,
  toleratedSeconds: number | null,
): void {
  if (toleratedSeconds === null) return;
  const latest = now.getTime() + toleratedSeconds * 1000;
  const odd = blocks.find(({ time, chainTime = time }) => Math.max(time.getTime(), chainTime.getTime()) > latest);
  if (odd) throw new ChainError('invalid_answer', `block ${odd.height} is dated in the future`);
}

/**
 * Notes a look at the node, as `noteHead`. One that showed a head in the future was none: nothing of it is kept.
 * @param toleratedSeconds as for `requireNotAhead`
 * @throws LeaseLostError, ChainError
 */
export async function noteLook(
  db: Database,
  lease: Lease,
  head: ChainHead,
  toleratedSeconds: number | null,
): Promise<LookedAt> {
  return transaction(db, async (sql) => {
    const noted = await noteHead(sql, lease, head, CHAIN_INFO[lease.chain].family);
    requireNotAhead([head], noted.lookedAt, toleratedSeconds);
    return noted;
  });
}
