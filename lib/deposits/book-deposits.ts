import type { Sql } from '@/lib/db/database';
import type { LedgerAccount, LedgerEntry } from '@/lib/ledger/entry';
import { postEntries } from '@/lib/ledger/post-entries';
import type { Coin } from '@/lib/shared/coins';
import { type BookableDeposit, lockConfirmedUnbooked, markBooked } from './booking-repository';

export interface ConfirmedUpTo {
  coin: Coin;
  epoch: number;
  /** Deposits in this block and below have the confirmations that the coin asks for. */
  height: bigint;
  at: Date;
}

/** The account that a deposit's money is counted on: its wallet's, or nobody's. */
export function accountOf({ walletId }: Pick<BookableDeposit, 'walletId'>): LedgerAccount {
  return walletId === null ? { kind: 'unattributed' } : { kind: 'wallet', walletId };
}

/** Books the deposits that became confirmed, inside the watcher's transaction. @returns how many */
export async function bookConfirmedDeposits(sql: Sql, upTo: ConfirmedUpTo): Promise<number> {
  const deposits = await lockConfirmedUnbooked(sql, upTo);
  if (deposits.length === 0) return 0;
  await postEntries(sql, deposits.map(toEntry));
  await markBooked(sql, deposits, upTo.at);
  return deposits.length;
}

function toEntry(deposit: BookableDeposit): LedgerEntry {
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
