import type { Sql } from '@/lib/db/database';
import type { LedgerEntry } from './entry';
import { insertAccounts, insertEntries, type PostingRow } from './repository';

/**
 * Books facts inside the caller's transaction, set by set: two statements for however many. A key that was booked before
 * is skipped. The database refuses an entry that does not sum to zero and a wallet that would go below zero.
 * @returns the keys that were booked now
 */
export async function postEntries(sql: Sql, entries: readonly LedgerEntry[]): Promise<string[]> {
  if (entries.length === 0) return [];
  const rows = entries.flatMap(({ key, kind, coin, postings }) =>
    postings.map(({ account, amountUnits }): PostingRow => {
      const walletId = 'walletId' in account ? account.walletId : null;
      return { key, entryKind: kind, coin, accountKind: account.kind, walletId, amountUnits };
    }),
  );
  await insertAccounts(sql, rows);
  return insertEntries(sql, rows);
}
