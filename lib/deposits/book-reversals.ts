import type { Sql } from '@/lib/db/database';
import type { LedgerEntry, Posting } from '@/lib/ledger/entry';
import { lockBalances } from '@/lib/ledger/lock-balances';
import { postEntries } from '@/lib/ledger/post-entries';
import type { Coin } from '@/lib/shared/coins';
import { type BookableDeposit, lockLostBooked, markUnbooked } from './booking-repository';

/**
 * Takes booked money that a reorg removed out of the ledger again, inside the transaction of the roll-back. What its wallet
 * no longer holds, because it was spent meanwhile, becomes the wallet's loss: the roll-back never fails over it.
 * @returns how many deposits were reversed
 */
export async function bookReversals(sql: Sql, coin: Coin, epoch: number): Promise<number> {
  const deposits = await lockLostBooked(sql, coin, epoch);
  if (deposits.length === 0) return 0;
  const walletIds = deposits.map((deposit) => deposit.walletId).filter((id) => id !== null);
  const balances = await lockBalances(sql, walletIds);
  await postEntries(
    sql,
    deposits.map((deposit) => toEntry(deposit, balances)),
  );
  await markUnbooked(sql, deposits);
  return deposits.length;
}

/** `balances` is what the wallets still hold; each entry takes its part off it. */
function toEntry(deposit: BookableDeposit, balances: Map<number, bigint>): LedgerEntry {
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
