import { extraConfirmations } from '@/lib/chains/confirmation';
import { type BlockRef, ChainError, type ConfirmationRule, type ScannedBlock, type Transfer } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import type { Chain } from '@/lib/shared/chains';
import { announceWrongNetwork } from './announce-wrong-network';
import { bookConfirmedDeposits } from './bookings';
import type { ReadChain } from './confirmations';
import type { FoundTransfer } from './deposit';
import { storeTransfers } from './repository';
import { storeSights } from './sight-repository';

interface Scanned {
  chain: Chain;
  epoch: number;
  rule: ConfirmationRule;
  /** Canonical address → id of its pool row, for every address that the chain was searched for. */
  watched: ReadonlyMap<string, bigint>;
  /** Our clock: the first sight of new deposits. */
  seenAt: Date;
}

export interface ScannedRun extends Scanned {
  blocks: readonly ScannedBlock[];
  before: ReadChain;
  after: { height: bigint; confirmedHeight: bigint | null };
}

/**
 * Money that blocks hold, inside the transaction that moves the cursor over them: stores it, books what became confirmed,
 * queues the wallets to settle, and tells a merchant of money on the wrong network. The same blocks again change nothing; a
 * transfer that was mined again in another block moves there. Money for an address that belongs to no wallet of its coin is
 * stored without one. Locks no invoice.
 * @returns how many wallets were queued
 * @throws ChainError when a transfer is double, not ours, or was mined before with another amount, coin or address
 */
export async function recordTransfers(sql: Sql, run: ScannedRun): Promise<number> {
  const { chain, epoch, seenAt, before, after } = run;
  const found = ours(
    run,
    run.blocks.flatMap((block) => block.transfers.map((transfer) => ({ transfer, block }))),
  );
  const result = await storeTransfers(sql, { chain, epoch, seenAt }, found, { before, after });
  if (result.stored !== found.length)
    throw new ChainError('invalid_answer', 'a transfer was mined again with another amount, coin or address');
  if (result.walletless) await announceWrongNetwork(sql, result.walletless);
  const { height, confirmedHeight } = after;
  if (confirmedHeight !== null) await bookConfirmedDeposits(sql, { chain, epoch, height, confirmedHeight }, seenAt);
  return result.queued;
}

/**
 * Money that waits in the mempool, inside a transaction of the lease holder. What was there and is not any more has ended.
 * @param sights everything that waits
 * @param isComplete false when a block may have taken some of it since
 * @returns how many wallets were queued
 */
export function recordSights(
  sql: Sql,
  scanned: Scanned,
  sights: readonly Transfer[],
  isComplete: boolean,
): Promise<number> {
  const found = ours(
    scanned,
    sights.map((transfer) => ({ transfer, block: null })),
  );
  const { chain, epoch, seenAt } = scanned;
  return storeSights(sql, { chain, epoch, seenAt }, found, isComplete);
}

function ours(
  { watched, rule }: Scanned,
  seen: readonly { transfer: Transfer; block: BlockRef | null }[],
): FoundTransfer[] {
  const found = new Map<string, FoundTransfer>();
  for (const { transfer, block } of seen) {
    const poolAddressId = watched.get(transfer.to);
    if (poolAddressId === undefined || found.has(transfer.key))
      throw new ChainError('invalid_answer', `transfer ${transfer.key} is double or not ours`);
    found.set(transfer.key, { transfer, poolAddressId, block, extraConfirmations: extraConfirmations(rule, transfer) });
  }
  return [...found.values()];
}
