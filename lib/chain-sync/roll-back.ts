import { confirmedHeight } from '@/lib/chains/confirmation';
import type { BlockRef, ConfirmationRule } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { bookReversals } from '@/lib/deposits/bookings';
import { orphanDeposits } from '@/lib/deposits/repository';
import { listBlocks } from './block-repository';
import type { PauseReason } from './cursor';
import { lockCursor, moveCursorBack } from './cursor-repository';
import { findForkPoint } from './find-fork-point';
import type { Lease } from './lease';

export interface RollBackOptions {
  /** One header from the node. */
  blockAt: (height: bigint) => Promise<BlockRef>;
  rule: ConfirmationRule;
  orphanedAt: Date;
  /** The head of the branch that takes their place. */
  headHeight: bigint;
}

/** `refused`: the reorg is too deep to be believed; nothing was changed. */
export type RollBackResult =
  | { kind: 'rolled_back'; toHeight: bigint; depth: number; orphanedDeposits: number }
  | { kind: 'refused'; reason: PauseReason };

/**
 * Undoes the blocks that are no longer on the chain: finds where it branched off, marks the deposits above as orphaned,
 * reverses their ledger entries, queues their wallets and moves the cursor back, in one transaction. The same deposits count
 * again when they are mined again: nothing is decided before the new branch was read up to its head, so that a payment that it
 * holds too was never gone.
 * @throws LeaseLostError, or ChainError when the node cannot answer
 */
export async function rollBack(db: Database, lease: Lease, options: RollBackOptions): Promise<RollBackResult> {
  const stored = await listBlocks(db.pool, lease.chain);
  const fork = await findForkPoint(stored, async (block) => (await options.blockAt(block.height)).hash === block.hash);
  if (!fork) return { kind: 'refused', reason: 'reorg_too_deep' };
  return transaction(db, async (sql): Promise<RollBackResult> => {
    const cursor = await lockCursor(sql, lease);
    if (cursor.finalizedHeight !== null && fork.height < cursor.finalizedHeight)
      return { kind: 'refused', reason: 'reorg_below_finalized' };
    const { chain, epoch } = cursor;
    const orphanedDeposits = await orphanDeposits(sql, { chain, epoch, seenAt: options.orphanedAt }, fork.height);
    await bookReversals(sql, chain, epoch);
    // What the head says of finality is news, and news queues wallets: it comes with the next blocks.
    const { finalizedHeight } = cursor;
    await moveCursorBack(sql, lease, fork, {
      confirmedHeight: confirmedHeight(options.rule, { height: fork.height, finalizedHeight }),
      branchHeight: options.headHeight > fork.height ? options.headHeight : null,
    });
    const depth = Number((cursor.height ?? fork.height) - fork.height);
    return { kind: 'rolled_back', toHeight: fork.height, depth, orphanedDeposits };
  });
}
