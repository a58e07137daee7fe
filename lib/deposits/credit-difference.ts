import { randomUUID } from 'node:crypto';
import type { Sql } from '@/lib/db/database';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import { bookConfirmedDeposits } from './bookings';
import { creditOf, lesser } from './credit';
import { lockReadChain, noteCredit, selectExplained } from './credit-repository';
import { storeTransfers } from './repository';

/** What a node says of an address, in final blocks. */
export interface ProvenBalance {
  chain: Chain;
  coin: Coin;
  epoch: number;
  address: string;
  poolAddressId: bigint;
  /** The block at which it was asked, and what the address held then. */
  height: bigint;
  balanceUnits: bigint;
  /** The block in which the money counts as arrived: it is proved that it was there by then. */
  arrival: { height: bigint; hash: string; time: Date; riseUnits: bigint | null };
}

export interface CreditOrder {
  operator: string;
  note: string | null;
  /** The transaction by which the money came, as the operator knows it; informative. */
  txHash: string | null;
  at: Date;
}

/**
 * Makes a deposit of exactly the money on an address that the records do not explain; it is booked and settles like any
 * other. The difference is taken under the lock of the chain's cursor, so that neither two operators nor a rescan at the
 * same time count it twice. Where the rise of the balance in one block is given, no more than that is credited.
 * @param sql inside a transaction
 * @returns the units that were credited; 0 when nothing is unexplained any more, or blocks are being taken back just now
 */
export async function creditDifference(sql: Sql, proven: ProvenBalance, order: CreditOrder): Promise<bigint> {
  const { chain, coin, epoch, address, poolAddressId, height, balanceUnits, arrival } = proven;
  const read = await lockReadChain(sql, chain);
  if (!read || read.epoch !== epoch || read.branchHeight !== null) return 0n;
  if (read.height === null || read.height < height || read.confirmedHeight === null) return 0n;
  const asked = { chain, coin, epoch, poolAddressId };
  const { explainedUnits, writtenOffUnits } = await selectExplained(sql, { ...asked, height });
  const { atHeightUnits } = await selectExplained(sql, { ...asked, height: arrival.height });
  const difference = balanceUnits - explainedUnits - writtenOffUnits;
  const rise = arrival.riseUnits === null ? difference : arrival.riseUnits - atHeightUnits;
  const amountUnits = lesser(rise, difference);
  if (amountUnits <= 0n) return 0n;
  // What it is the difference to makes sure that nothing is credited twice: the key only names the act.
  const name = `credit:${address}:${arrival.height}`;
  const key = `${name}:${randomUUID()}`;
  const txHash = order.txHash ?? name;
  const credit = creditOf({ key, coin, address, poolAddressId, txHash, amountUnits, block: arrival });
  const upTo = { height: read.height, confirmedHeight: read.confirmedHeight };
  await storeTransfers(sql, { chain, epoch, seenAt: order.at }, [credit], {
    before: upTo,
    after: upTo,
  });
  await bookConfirmedDeposits(sql, { chain, epoch, ...upTo }, order.at);
  const { operator, note } = order;
  await noteCredit(sql, { chain, epoch, key, operator, note, height, balanceUnits, expectedUnits: explainedUnits });
  return amountUnits;
}
