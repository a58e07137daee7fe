import type { ScannedBlock, Transfer } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { bookReversals } from './bookings';
import { creditOf, lesser } from './credit';
import { type Credit, lockCredits, replaceCreditRows, selectMissingKeys } from './credit-repository';
import type { FoundTransfer } from './deposit';
import { recordTransfers, type ScannedRun } from './record-transfers';
import { storeTransfers } from './repository';

export interface FoundRun extends Omit<ScannedRun, 'before' | 'after'> {
  /** How far the chain was read, and up to where deposits count. */
  height: bigint;
  confirmedHeight: bigint | null;
}

/**
 * Money that blocks below the cursor hold, in a transaction that holds the cursor: what was missed is stored, booked and
 * queued like any other. Where an operator credited it before, it takes the credit's place: the same money never counts
 * twice, and what the credit held beside it goes on counting.
 * @returns how many deposits were missing
 * @throws ChainError as `recordTransfers`
 */
export async function recordFound(sql: Sql, run: FoundRun): Promise<number> {
  const { chain, epoch, height, confirmedHeight, blocks, watched } = run;
  const mined = blocks.flatMap(({ transfers, ...block }) => transfers.map((transfer) => ({ transfer, block })));
  const keys = mined.map(({ transfer }) => transfer.key);
  const missing = await selectMissingKeys(sql, chain, epoch, keys);
  const found = mined.filter(({ transfer }) => missing.has(transfer.key));
  if (found.length > 0) await replaceCredits(sql, run, found);
  const read = { height, confirmedHeight };
  await recordTransfers(sql, { ...run, watched, before: read, after: read });
  return found.length;
}

interface Mined {
  transfer: Transfer;
  block: Pick<ScannedBlock, 'height'>;
}

/** Takes what was found off the credits that stood for it: those on its address whose block is not earlier. */
async function replaceCredits(sql: Sql, run: FoundRun, found: readonly Mined[]): Promise<void> {
  const { chain, epoch, seenAt, watched, height, confirmedHeight } = run;
  const ids = found.flatMap(({ transfer }) => watched.get(transfer.to) ?? []);
  const credits = await lockCredits(sql, chain, epoch, [...new Set(ids)]);
  const left = new Map(credits.map((credit) => [credit, credit.amountUnits]));
  for (const { transfer, block } of found) {
    let open = transfer.amountUnits;
    for (const [credit, units] of left) {
      if (watched.get(transfer.to) !== credit.poolAddressId || credit.coin !== transfer.coin) continue;
      if (credit.blockHeight < block.height) continue;
      const taken = lesser(open, units);
      left.set(credit, units - taken);
      open -= taken;
    }
  }
  const changed = [...left].filter(([credit, units]) => units < credit.amountUnits);
  if (changed.length === 0) return;
  await replaceCreditRows(
    sql,
    changed.map(([{ id }]) => id),
    seenAt,
  );
  await bookReversals(sql, chain, epoch);
  const rests = changed.filter(([, units]) => units > 0n).map(([credit, units]) => restOf(credit, units));
  const read = { height, confirmedHeight };
  await storeTransfers(sql, { chain, epoch, seenAt }, rests, { before: read, after: read });
}

/** What a credit held beside what was found, as a credit of its own. */
function restOf(credit: Credit, amountUnits: bigint): FoundTransfer {
  const { id, coin, address, txHash, poolAddressId, blockHeight, blockHash, blockTime } = credit;
  return creditOf({
    key: `credit:${address}:${blockHeight}:${id}`,
    ...{ coin, address, txHash, poolAddressId, amountUnits },
    block: { height: blockHeight, hash: blockHash, time: blockTime },
  });
}
