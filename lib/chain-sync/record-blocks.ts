import {
  ChainError,
  type ChainHead,
  type ChainTraits,
  type ConfirmationRule,
  type ScannedBlock,
  type Transfer,
} from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { recordSights, recordTransfers } from '@/lib/deposits/record-transfers';
import { requireNotAhead } from './chain-time';
import { type Cursor, finalityAt, isStoppedByOperator } from './cursor';
import { advanceCursor, lockCursor } from './cursor-repository';
import type { Lease } from './lease';

/** How the chain is recorded, whatever was read. */
export interface Recording {
  rule: ConfirmationRule;
  traits: Pick<ChainTraits, 'keptBlocks' | 'transferKey'>;
  /** Canonical address → id of its pool row, for every address that the chain was searched for. */
  watched: ReadonlyMap<string, bigint>;
  /** Our clock: the first sight of new deposits. */
  seenAt: Date;
}

export interface BlockRun extends Recording {
  /** Consecutive blocks from the one after the cursor on. */
  blocks: ScannedBlock[];
  /** The node's head when they were read. */
  head: ChainHead;
  /** How far ahead of the database's time a block may be; null on a devnet. */
  toleratedAheadSeconds: number | null;
}

/** `reorg`: the blocks do not follow the cursor's, roll back first. `paused`: an operator stopped the chain. */
export type RecordResult = { kind: 'recorded'; queuedWallets: number } | { kind: 'reorg' } | { kind: 'paused' };

/**
 * Transaction (1) of a payment: deposits with their ledger entries and settlement tasks, block hashes and the cursor are
 * committed together or not at all. Recording the same blocks again after a crash changes nothing. Locks no invoice.
 * @throws LeaseLostError when a newer lease exists
 * @throws ChainError when the blocks do not begin right after the cursor, run backwards in time or ahead of ours, or hold what cannot be true
 */
export async function recordBlocks(db: Database, lease: Lease, run: BlockRun): Promise<RecordResult> {
  return transaction(db, async (sql) => {
    const cursor = await lockCursor(sql, lease);
    if (isStoppedByOperator(cursor)) return { kind: 'paused' };
    const { blocks, head, rule, traits } = run;
    const first = blocks[0];
    const last = blocks.at(-1);
    if (!first || !last) return { kind: 'recorded', queuedWallets: 0 };
    requireConsecutive(cursor, blocks);
    requireNotAhead(blocks, cursor.lockedAt, run.toleratedAheadSeconds);
    if (first.parentHash !== cursor.hash) return { kind: 'reorg' };
    requireKeys(
      traits,
      blocks.flatMap(({ transfers }) => transfers),
    );
    const finality = finalityAt(rule, last.height, head, cursor.finalizedHeight);
    const { chain, epoch } = cursor;
    const queuedWallets = await recordTransfers(sql, {
      ...run,
      chain,
      epoch,
      before: cursor,
      after: { height: last.height, confirmedHeight: finality.confirmedHeight },
    });
    await advanceCursor(sql, lease, { blocks, last, head, finality, keptBlocks: traits.keptBlocks });
    return { kind: 'recorded', queuedWallets };
  });
}

/**
 * What waits in the mempool is seen, and what no longer waits has ended.
 * @param isComplete false when a block may have taken some of it since
 * @returns how many wallets were queued
 * @throws LeaseLostError, ChainError
 */
export async function recordMempool(
  db: Database,
  lease: Lease,
  sights: readonly Transfer[],
  recording: Recording & { isComplete: boolean },
): Promise<number> {
  return transaction(db, async (sql) => {
    const cursor = await lockCursor(sql, lease);
    if (cursor.pausedReason !== null) return 0;
    requireKeys(recording.traits, sights);
    const { chain, epoch } = cursor;
    return recordSights(sql, { ...recording, chain, epoch }, sights, recording.isComplete);
  });
}

function requireConsecutive(cursor: Cursor, blocks: readonly ScannedBlock[]): void {
  let expected = cursor.height;
  let parentHash: string | undefined;
  let time = cursor.chainTime;
  for (const block of blocks) {
    expected = expected === null ? null : expected + 1n;
    if (block.height !== expected || (parentHash !== undefined && block.parentHash !== parentHash))
      throw new ChainError('invalid_answer', `block ${block.height} where ${expected} was due`);
    // Of the first block only when it follows the cursor's: on another branch time may go back.
    const follows = parentHash !== undefined || block.parentHash === cursor.hash;
    if (follows && time !== null && block.chainTime < time)
      throw new ChainError('invalid_answer', `the chain's time runs backwards in block ${block.height}`);
    parentHash = block.hash;
    time = block.chainTime;
  }
}

/** @throws ChainError where a chain's transfers are its transactions, and one is not */
export function requireKeys({ transferKey }: Recording['traits'], transfers: readonly Transfer[]): void {
  if (transferKey !== 'transaction') return;
  const odd = transfers.find(({ key, txHash }) => key !== txHash);
  if (odd) throw new ChainError('invalid_answer', `transfer ${odd.key} is not its transaction ${odd.txHash}`);
}
