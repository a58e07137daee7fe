import { ChainError, type ChainReader } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { recordFound } from '@/lib/deposits/record-found';
import { lockCursor } from './cursor-repository';
import type { Lease } from './lease';
import { askFoundBalances } from './prove-found';
import { type Recording, requireKeys } from './record-blocks';
import {
  noteRescanFault,
  noteRescanStep,
  type RescanRow,
  selectForeignBlock,
  selectNextRescan,
} from './rescan-repository';

export interface RescanOptions extends Pick<Recording, 'rule' | 'watched' | 'seenAt'> {
  reader: ChainReader;
  traits: Recording['traits'] & { blocksPerStep: number };
}

/** `idle`: nothing to do, or not now. `failed`: the node could not be used, and the rescan says so. */
export type RescanStep = { kind: 'idle' | 'stepped' | 'failed' } | { kind: 'finished'; rescan: RescanRow };

/**
 * One step of the oldest rescan that an operator asked for: reads some blocks below the cursor again, and stores, books and
 * queues what was missed, as if it had been read the first time. Under the same lease as the reading, whose cursor stays
 * where it is. Steps that were made already change nothing, and money that its address does not hold is refused.
 * @throws LeaseLostError
 */
export async function rescanStep(db: Database, lease: Lease, options: RescanOptions): Promise<RescanStep> {
  const rescan = await selectNextRescan(db.pool, lease.chain);
  if (!rescan) return { kind: 'idle' };
  try {
    return await step(db, lease, rescan, options);
  } catch (error) {
    if (!(error instanceof ChainError)) throw error;
    await noteRescanFault(db.pool, rescan.id, error.message);
    return { kind: 'failed' };
  }
}

async function step(db: Database, lease: Lease, rescan: RescanRow, options: RescanOptions): Promise<RescanStep> {
  const { reader, traits, watched } = options;
  const last = rescan.nextHeight + BigInt(traits.blocksPerStep) - 1n;
  const to = last < rescan.toHeight ? last : rescan.toHeight;
  const blocks = await reader.scan(rescan.nextHeight, to, (address) => watched.has(address));
  const before = await transaction(db, (sql) => lockCursor(sql, lease));
  if (before.height === null) return { kind: 'idle' };
  const balances = await askFoundBalances(db.pool, reader, { ...before, height: before.height }, blocks);
  return transaction(db, async (sql): Promise<RescanStep> => {
    const cursor = await lockCursor(sql, lease);
    const { chain, epoch, height, confirmedHeight } = cursor;
    // While blocks are taken back, or the chain is in doubt, nothing is added to it.
    const isSteady = cursor.pausedReason === null && cursor.branchHeight === null && epoch === rescan.epoch;
    if (!isSteady || height === null || to > height) return { kind: 'idle' };
    const foreign = await selectForeignBlock(sql, chain, blocks);
    if (foreign) throw new ChainError('invalid_answer', `block ${foreign.height} is not the one that was read`);
    requireKeys(
      traits,
      blocks.flatMap(({ transfers }) => transfers),
    );
    const found = await recordFound(sql, { ...options, chain, epoch, blocks, height, confirmedHeight, balances });
    await noteRescanStep(sql, rescan.id, to + 1n, found);
    if (to < rescan.toHeight) return { kind: 'stepped' };
    return { kind: 'finished', rescan: { ...rescan, foundDeposits: rescan.foundDeposits + found } };
  });
}
