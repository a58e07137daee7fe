import type { Sql } from '@/lib/db/database';
import type { LedgerEntry } from './entry';
import { insertAccounts, insertEntries, lockAccounts } from './repository';

/**
 * Books facts inside the caller's transaction, set by set: two statements for however many. A key that was booked before
 * is skipped. The database refuses an entry that does not sum to zero and a wallet that would go below zero.
 * @returns the keys that were booked now
 */
export async function postEntries(sql: Sql, entries: readonly LedgerEntry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const parts = entries.flatMap((entry) => entry.postings.map((posting) => ({ entry, ...posting })));
  const accounts = {
    coins: parts.map(({ entry }) => entry.coin),
    accountKinds: parts.map(({ account }) => account.kind),
    walletIds: parts.map(({ account }) => ('walletId' in account ? account.walletId : null)),
  };
  await insertAccounts.count(sql, accounts);
  const booked = await insertEntries.all(sql, {
    ...accounts,
    keys: parts.map(({ entry }) => entry.key),
    entryKinds: parts.map(({ entry }) => entry.kind),
    amounts: parts.map(({ amountUnits }) => amountUnits),
  });
  return booked.map(({ key }) => key);
}

/**
 * Locks the wallets' accounts in the order of their ids until the transaction ends.
 * @returns what each holds, in base units; wallets that never held anything are absent
 */
export async function lockBalances(sql: Sql, walletIds: readonly number[]): Promise<Map<number, bigint>> {
  const locked = await lockAccounts.all(sql, { walletIds });
  return new Map(locked.map(({ walletId, balance }) => [walletId, balance]));
}
