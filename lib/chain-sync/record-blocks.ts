import { ChainError, type ChainHead, type ScannedBlock } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { bookConfirmedDeposits } from '@/lib/deposits/book-deposits';
import { type FoundDeposit, storeBlocks } from '@/lib/deposits/repository';
import type { Cursor, Lease } from '@/lib/deposits/types';
import { isOwnPause } from './is-own-pause';
import { lockCursor } from './repository';

export interface BlockRun {
  /** Consecutive blocks from the one after the cursor on. */
  blocks: ScannedBlock[];
  /** The node's head when they were read. */
  head: ChainHead;
  /** Canonical address → id of its pool row, for every address that the scan was asked for. */
  watched: ReadonlyMap<string, string>;
  /** Our clock: the first sight of new deposits. */
  seenAt: Date;
}

/** `reorg`: the blocks do not follow the cursor's, roll back first. `paused`: an operator stopped the coin. */
export type RecordResult = { kind: 'recorded'; queuedWallets: number } | { kind: 'reorg' } | { kind: 'paused' };

/**
 * Transaction (1) of a payment: deposits, the ledger entries of those that became confirmed, block hashes, the wallets to
 * settle and the cursor are committed together or not at all. Recording the same blocks again after a crash changes nothing; a transaction that was mined again in another block
 * moves there. Money for an address that belongs to no wallet of the coin is stored without one. Locks no invoice.
 * @throws LeaseLostError when a newer lease exists
 * @throws ChainError when the blocks do not begin right after the cursor, or name a transaction twice
 */
export async function recordBlocks(db: Database, lease: Lease, run: BlockRun): Promise<RecordResult> {
  return transaction(db, async (sql) => {
    const cursor = await lockCursor(sql, lease);
    if (cursor.pausedReason !== null && !isOwnPause(cursor.pausedReason)) return { kind: 'paused' };
    const first = run.blocks[0];
    const last = run.blocks.at(-1);
    if (!first || !last) return { kind: 'recorded', queuedWallets: 0 };
    requireConsecutive(cursor, run.blocks);
    if (first.parentHash !== cursor.hash) return { kind: 'reorg' };
    const found = foundDeposits(run);
    const { blocks, head, seenAt } = run;
    const queuedWallets = await storeBlocks(sql, { lease, cursor, blocks, last, found, head, seenAt });
    const height = last.height - BigInt(cursor.confirmations) + 1n;
    await bookConfirmedDeposits(sql, { coin: cursor.coin, epoch: cursor.epoch, height, at: seenAt });
    return { kind: 'recorded', queuedWallets };
  });
}

function requireConsecutive(cursor: Cursor, blocks: ScannedBlock[]): void {
  let expected = cursor.height;
  let parentHash: string | undefined;
  for (const block of blocks) {
    expected = expected === null ? null : expected + 1n;
    if (block.height !== expected || (parentHash !== undefined && block.parentHash !== parentHash))
      throw new ChainError('invalid_answer', `block ${block.height} where ${expected} was due`);
    parentHash = block.hash;
  }
}

function foundDeposits({ blocks, watched }: BlockRun): FoundDeposit[] {
  const found = new Map<string, FoundDeposit>();
  for (const block of blocks) {
    for (const transfer of block.transfers) {
      const { txHash, txIndex, amountUnits } = transfer;
      const poolAddressId = watched.get(transfer.to);
      const key = `${txHash}:${txIndex}`;
      if (poolAddressId === undefined || found.has(key))
        throw new ChainError('invalid_answer', `transfer ${key} is double or not ours`);
      found.set(key, { txHash, txIndex, amountUnits, poolAddressId, fromAddress: transfer.from, block });
    }
  }
  return [...found.values()];
}
