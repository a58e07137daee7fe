import { confirmedHeight } from '@/lib/chains/confirmation';
import { type BlockRef, ChainError, type ChainHead, type ChainReader, type ConfirmationRule } from '@/lib/chains/types';
import type { Database, Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { bookConfirmedDeposits } from '@/lib/deposits/bookings';
import { queuePendingInvoices } from '@/lib/deposits/queue-repository';
import { bookChainReset } from '@/lib/ledger/book-chain-reset';
import { coinsOf } from '@/lib/shared/coins';
import { keepBlocks } from './block-repository';
import { requireNotAhead } from './chain-time';
import { finalityAt } from './cursor';
import { lockCursor, placeCursor, setFinality } from './cursor-repository';
import type { Lease } from './lease';

/** Where reading a chain begins. */
export interface ChainStart {
  genesisHash: string;
  /** Block on which the cursor is placed: nothing in it or below is read. */
  block: BlockRef;
  /** Blocks right below it, kept so that a reorg across the start finds its fork. */
  ancestors: BlockRef[];
  head: ChainHead;
  rule: ConfirmationRule;
  /** How far ahead of the database's time a block may be; null on a devnet. */
  toleratedAheadSeconds: number | null;
}

/**
 * What a cursor needs to begin at the head: the chain's identity, the head block and the headers below it.
 * @throws ChainError when the node cannot answer, or the chain changed while it was asked
 */
export async function readChainStart(
  reader: ChainReader,
  head: ChainHead,
  { ancestorsAtStart, ...rest }: Pick<ChainStart, 'rule' | 'toleratedAheadSeconds'> & { ancestorsAtStart: number },
): Promise<ChainStart> {
  const genesisHash = await reader.genesisHash();
  const block = await reader.block(head.height);
  const ancestors: BlockRef[] = [];
  for (let child = block; child.height > 0n && ancestors.length < ancestorsAtStart; ) {
    const parent = await reader.block(child.height - 1n);
    if (parent.hash !== child.parentHash)
      throw new ChainError('invalid_answer', `block ${child.height} does not follow the block before it`);
    ancestors.unshift(parent);
    child = parent;
  }
  return { genesisHash, block, ancestors, head, ...rest };
}

/**
 * First start: the cursor stands on the node's head. Older blocks cannot pay us, because no address could be assigned
 * before this; so do this before recording a loaded generation.
 * @throws LeaseLostError, ChainError when a block is dated in the future
 */
export async function startCursor(db: Database, lease: Lease, start: ChainStart): Promise<void> {
  await transaction(db, async (sql) => {
    const { epoch, lockedAt } = await lockCursor(sql, lease);
    requireNotAhead([...start.ancestors, start.block], lockedAt, start.toleratedAheadSeconds);
    await place(sql, lease, start, epoch);
  });
}

/**
 * Applies the rule of confirmations to a cursor that was left by an earlier watcher: it may have been another. What counts
 * now is booked. Deposits keep what the rule asked of their amount when they were read.
 * @param at our clock: when what counts now was booked
 * @throws LeaseLostError
 */
export async function applyRule(db: Database, lease: Lease, rule: ConfirmationRule, at: Date): Promise<void> {
  await transaction(db, async (sql) => {
    const { chain, epoch, height, finalizedHeight } = await lockCursor(sql, lease);
    if (height === null) return;
    const upTo = confirmedHeight(rule, { height, finalizedHeight });
    await setFinality(sql, lease, { finalizedHeight, confirmedHeight: upTo });
    if (upTo !== null) await bookConfirmedDeposits(sql, { chain, epoch, height, confirmedHeight: upTo }, at);
  });
}

/**
 * Another chain stands where a devnet's was: a new epoch begins at its head, money of the old one is booked off, and the
 * chain's pending invoices are queued to be closed. Never for a public chain.
 * @returns the new epoch
 * @throws LeaseLostError
 */
export async function resetEpoch(db: Database, lease: Lease, start: ChainStart): Promise<number> {
  return transaction(db, async (sql) => {
    const epoch = (await lockCursor(sql, lease)).epoch + 1;
    await place(sql, lease, start, epoch);
    for (const coin of coinsOf(lease.chain)) await bookChainReset(sql, coin, epoch);
    await queuePendingInvoices(sql, lease.chain);
    return epoch;
  });
}

async function place(sql: Sql, lease: Lease, start: ChainStart, epoch: number): Promise<void> {
  const { genesisHash, block, ancestors, head, rule } = start;
  const { height, hash, chainTime } = block;
  await placeCursor(sql, lease, {
    ...finalityAt(rule, height, head),
    genesisHash,
    epoch,
    height,
    hash,
    chainTime,
    headHeight: head.height,
  });
  await keepBlocks(sql, lease.chain, [...ancestors, block]);
}
