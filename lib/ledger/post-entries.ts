import type { Sql } from '@/lib/db/database';
import type { LedgerEntry } from './entry';
import { callPostEntries } from './repository';

/** An entry that is in the ledger now. */
export interface BookedEntry {
  id: bigint;
  entry: LedgerEntry;
}

/**
 * Books facts inside the caller's transaction: one statement for however many. A fact that was booked before is skipped.
 * What comes to a wallet first repays its loss; what a reversal takes and the wallet does not have becomes its loss. So an
 * entry's parts on `wallet` may be stored as parts on `wallet` and `reorg_loss`, in the order of the entries.
 * @returns the entries that were booked now, in their order
 * @throws Error of the database for an entry whose two sides differ, an account of another coin, and a wallet or what it set
 * aside that would go below zero
 */
export async function postEntries(sql: Sql, entries: readonly LedgerEntry[]): Promise<BookedEntry[]> {
  if (entries.length === 0) return [];
  const parts = entries.flatMap((entry, index) => entry.postings.map((posting) => ({ ...posting, place: index + 1 })));
  const booked = await callPostEntries.all(sql, {
    kinds: entries.map(({ kind }) => kind),
    coins: entries.map(({ coin }) => coin),
    facts: entries.map(({ fact }) => fact),
    factIds: entries.map(({ factId }) => factId),
    bookings: entries.map(({ booking }) => booking),
    epochs: entries.map(({ epoch }) => epoch),
    heights: entries.map(({ block }) => block?.height ?? null),
    times: entries.map(({ block }) => block?.time ?? null),
    links: entries.map(({ linkedEntryId }) => linkedEntryId ?? null),
    partEntries: parts.map(({ place }) => place),
    partKinds: parts.map(({ account }) => account.kind),
    partWallets: parts.map(({ account }) => ('walletId' in account ? account.walletId : null)),
    partAddresses: parts.map(({ account }) => ('poolAddressId' in account ? account.poolAddressId : null)),
    partUnits: parts.map(({ amountUnits }) => amountUnits),
  });
  return booked.flatMap(({ place, id }) => {
    const entry = entries[place - 1];
    return entry ? [{ id, entry }] : [];
  });
}
