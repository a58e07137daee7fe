import type { Sql } from '@/lib/db/database';
import type { EntryBlock, LedgerAccount, LedgerEntry } from '@/lib/ledger/entry';
import { postEntries } from '@/lib/ledger/post-entries';
import type { Chain } from '@/lib/shared/chains';
import {
  type BookableDeposit,
  type ConfirmedUpTo,
  lockConfirmedUnbooked,
  lockLostBooked,
  markBooked,
  markUnbooked,
} from './booking-repository';

/** Books the deposits that became confirmed, inside the watcher's transaction. @returns how many */
export async function bookConfirmedDeposits(sql: Sql, upTo: ConfirmedUpTo, at: Date): Promise<number> {
  const deposits = await lockConfirmedUnbooked(sql, upTo);
  if (deposits.length === 0) return 0;
  await postEntries(
    sql,
    deposits.map((deposit) => entryOf('deposit', { ...deposit, bookings: deposit.bookings + 1 })),
  );
  await markBooked(sql, deposits, at);
  return deposits.length;
}

/**
 * Takes booked money that a reorg removed out of the ledger again, inside the transaction of the roll-back. What its wallet
 * no longer holds, because it was spent meanwhile, becomes the wallet's loss: the roll-back never fails over it.
 * @returns how many deposits were reversed
 */
export async function bookReversals(sql: Sql, chain: Chain, epoch: number): Promise<number> {
  const deposits = await lockLostBooked(sql, chain, epoch);
  if (deposits.length === 0) return 0;
  await postEntries(
    sql,
    deposits.map((deposit) => entryOf('reversal', deposit)),
  );
  await markUnbooked(sql, deposits);
  return deposits.length;
}

/** A deposit's money comes to its address and its owner, or leaves both. A reversal stands at the height of what it takes back. */
function entryOf(kind: 'deposit' | 'reversal', deposit: BookableDeposit): LedgerEntry {
  const { id, coin, bookings, epoch, poolAddressId } = deposit;
  const amountUnits = kind === 'deposit' ? deposit.amountUnits : -deposit.amountUnits;
  return {
    kind,
    coin,
    fact: 'deposit',
    factId: id,
    booking: bookings,
    epoch,
    block: blockOf(deposit),
    postings: [
      { account: { kind: 'custody', poolAddressId }, amountUnits },
      { account: ownerOf(deposit), amountUnits },
    ],
  };
}

/** The account that a deposit's money is counted on: its wallet's, or nobody's. */
function ownerOf({ walletId }: BookableDeposit): LedgerAccount {
  return walletId === null ? { kind: 'unattributed' } : { kind: 'wallet', walletId };
}

function blockOf({ blockHeight, blockTime }: BookableDeposit): EntryBlock | null {
  return blockHeight === null || blockTime === null ? null : { height: blockHeight, time: blockTime };
}
