import type { Transfer } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { bookConfirmedDeposits, bookReversals } from './bookings';
import { creditOf, lesser } from './credit';
import {
  type Credit,
  copyCreditLine,
  handOnFirstBooking,
  handOnWallet,
  replaceCreditRows,
  type Successor,
} from './credit-repository';
import type { FoundTransfer } from './deposit';
import { type Place, storeTransfers } from './repository';

/** How far the chain was read, and when its blocks were read again. */
interface ReadAgain extends Place {
  height: bigint;
  confirmedHeight: bigint | null;
}

/** What has to give way on one address, in one coin. */
interface Surplus {
  /** The credits of the address. */
  credits: readonly Credit[];
  surplusUnits: bigint;
  /** What was found in their place. */
  transfers: readonly Transfer[];
}

/**
 * Takes what was found off the credits that stood for it, those of the latest blocks first: a credit without proof of its
 * block stands in the last that was final. Whoever a credit was given to by hand has what takes its place.
 * @returns the units that no credit could give
 */
export async function replaceCredits(sql: Sql, run: ReadAgain, surplus: Surplus): Promise<bigint> {
  const { chain, epoch, seenAt, height, confirmedHeight } = run;
  let openUnits = surplus.surplusUnits;
  const changed: { credit: Credit; takenUnits: bigint }[] = [];
  for (const credit of surplus.credits.toReversed()) {
    const takenUnits = lesser(openUnits, credit.amountUnits);
    openUnits -= takenUnits;
    if (takenUnits > 0n) changed.push({ credit, takenUnits });
  }
  if (changed.length === 0) return openUnits;
  await replaceCreditRows(
    sql,
    chain,
    changed.map(({ credit }) => credit.id),
    seenAt,
  );
  await bookReversals(sql, chain, epoch);
  const rests = changed.filter(({ credit, takenUnits }) => takenUnits < credit.amountUnits).map(restOf);
  const read = { height, confirmedHeight };
  await storeTransfers(
    sql,
    { chain, epoch, seenAt },
    rests.map(({ found }) => found),
    { before: read, after: read },
  );
  if (confirmedHeight !== null) await bookConfirmedDeposits(sql, { chain, epoch, height, confirmedHeight }, seenAt);
  for (const { credit, found } of rests) {
    const to = { chain, epoch, fromId: credit.id, key: found.transfer.key };
    await copyCreditLine(sql, to);
    await takePlace(sql, to);
  }
  for (const { credit, takenUnits } of changed)
    for (const key of inPlaceOf(takenUnits, surplus.transfers))
      await takePlace(sql, { chain, epoch, fromId: credit.id, key });
  return openUnits;
}

async function takePlace(sql: Sql, successor: Successor): Promise<void> {
  await handOnFirstBooking(sql, successor);
  await handOnWallet(sql, successor);
}

/** Which transfers stand for so much of a credit: the one that is exactly it, else as many as cover it. */
function inPlaceOf(units: bigint, transfers: readonly Transfer[]): string[] {
  const same = transfers.find(({ amountUnits }) => amountUnits === units);
  if (same) return [same.key];
  let coveredUnits = 0n;
  return transfers.flatMap(({ key, amountUnits }) => {
    if (coveredUnits >= units) return [];
    coveredUnits += amountUnits;
    return [key];
  });
}

/** What a credit holds beside what was found, as a credit of its own. */
function restOf({ credit, takenUnits }: { credit: Credit; takenUnits: bigint }): {
  credit: Credit;
  found: FoundTransfer;
} {
  const { id, coin, address, txHash, poolAddressId, blockHeight, blockHash, blockTime } = credit;
  const found = creditOf({
    key: `credit:${address}:${blockHeight}:${id}`,
    ...{ coin, address, txHash, poolAddressId, amountUnits: credit.amountUnits - takenUnits },
    block: { height: blockHeight, hash: blockHash, time: blockTime },
  });
  return { credit, found };
}
