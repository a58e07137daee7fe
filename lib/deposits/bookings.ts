import type { Sql } from '@/lib/db/database';
import type { LedgerAccount, LedgerEntry, Posting } from '@/lib/ledger/entry';

import { lockBalances, postEntries } from '@/lib/ledger/post-entries';
import type { Chain } from '@/lib/shared/chains';
import {
  type BookableDeposit,
  type ConfirmedUpTo,
  lockConfirmedUnbooked,
  lockLostBooked,
  markBooked,
  markUnbooked,
} from './booking-repository';

/** The account that a deposit's money is counted on: its wallet's, or nobody's. */
function accountOf({ walletId }: Pick<BookableDeposit, 'walletId'>): LedgerAccount {
  return walletId === null ? { kind: 'unattributed' } : { kind: 'wallet', walletId };
}

/** Books the deposits that became confirmed, inside the watcher's transaction. @returns how many */
export async function bookConfirmedDeposits(sql: Sql, upTo: ConfirmedUpTo, at: Date): Promise<number> {
  const deposits = await lockConfirmedUnbooked(sql, upTo);
  if (deposits.length === 0) return 0;
  await postEntries(sql, deposits.map(bookingOf));
  await markBooked(sql, deposits, at);
  return deposits.length;
}

function bookingOf(deposit: BookableDeposit): LedgerEntry {
  return {
    key: `deposit:${deposit.id}:${deposit.bookings + 1}`,
    kind: 'deposit',
    coin: deposit.coin,
    postings: [
      { account: accountOf(deposit), amountUnits: deposit.amountUnits },
      { account: { kind: 'chain' }, amountUnits: -deposit.amountUnits },
    ],
  };
}

/**
 * Takes booked money that a reorg removed out of the ledger again, inside the transaction of the roll-back. What its wallet
 * no longer holds, because it was spent meanwhile, becomes the wallet's loss: the roll-back never fails over it.
 * @returns how many deposits were reversed
 */
export async function bookReversals(sql: Sql, chain: Chain, epoch: number): Promise<number> {
  const deposits = await lockLostBooked(sql, chain, epoch);
  if (deposits.length === 0) return 0;
  const walletIds = deposits.map((deposit) => deposit.walletId).filter((id) => id !== null);
  const balances = await lockBalances(sql, walletIds);
  await postEntries(
    sql,
    deposits.map((deposit) => reversalOf(deposit, balances)),
  );
  await markUnbooked(sql, deposits);
  return deposits.length;
}

/** `balances` is what the wallets still hold; each entry takes its part off it. */
function reversalOf(deposit: BookableDeposit, balances: Map<number, bigint>): LedgerEntry {
  const { id, bookings, coin, amountUnits } = deposit;
  const chain: Posting = { account: { kind: 'chain' }, amountUnits };
  return {
    key: `reversal:${id}:${bookings}`,
    kind: 'reversal',
    coin,
    postings: [chain, ...takenFrom(deposit, balances)],
  };
}

function takenFrom({ walletId, amountUnits }: BookableDeposit, balances: Map<number, bigint>): Posting[] {
  if (walletId === null) return [{ account: { kind: 'unattributed' }, amountUnits: -amountUnits }];
  const held = balances.get(walletId) ?? 0n;
  const fromWallet = held < amountUnits ? held : amountUnits;
  balances.set(walletId, held - fromWallet);
  const postings: Posting[] = [
    { account: { kind: 'wallet', walletId }, amountUnits: -fromWallet },
    { account: { kind: 'reorg_loss', walletId }, amountUnits: fromWallet - amountUnits },
  ];
  return postings.filter((posting) => posting.amountUnits !== 0n);
}
