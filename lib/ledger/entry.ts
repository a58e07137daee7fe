import type { LedgerAccount as AccountModel, LedgerEntry as EntryModel } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import type { Coin } from '@/lib/shared/coins';

/** Where money lies, or whose it is: an account by what it counts. It comes into being with its first posting. */
export type LedgerAccount =
  | { kind: 'custody'; poolAddressId: bigint }
  | { kind: 'wallet' | 'held' | 'reorg_loss'; walletId: number }
  | { kind: 'in_swap' | 'unattributed' | 'fees' };

type AccountKind = Row<AccountModel, 'kind'>['kind'];

/** Kinds that say where money lies; the others say whose it is. */
export const PLACES: readonly AccountKind[] = ['custody', 'in_swap'];

/** An account as its row says. @throws Error when the row names no owner, which the database refuses too */
export function toAccount(row: Row<AccountModel, 'kind' | 'walletId' | 'poolAddressId'>): LedgerAccount {
  const { kind, walletId, poolAddressId } = row;
  if (kind === 'in_swap' || kind === 'unattributed' || kind === 'fees') return { kind };
  if (kind === 'custody' && poolAddressId !== null) return { kind, poolAddressId };
  if (kind !== 'custody' && walletId !== null) return { kind, walletId };
  throw new Error(`A ${kind} account belongs to nobody.`);
}

interface Posting {
  account: LedgerAccount;
  /** Base units: positive adds to the account, negative takes away. Never 0. */
  amountUnits: bigint;
}

/** The block that caused an entry. */
export interface EntryBlock {
  height: bigint;
  /** Chain time. */
  time: Date;
}

/**
 * One fact to book, of one coin. Its postings sum to the same on both sides, where and whose. A second entry of the same
 * kind, fact, booking and coin is not booked.
 */
export interface LedgerEntry extends Row<EntryModel, 'kind' | 'fact' | 'factId' | 'booking' | 'epoch'> {
  coin: Coin;
  /** Null where no block caused it. */
  block: EntryBlock | null;
  /** What a swap gave for what this entry takes: the id of the entry that booked it. */
  linkedEntryId?: bigint;
  postings: Posting[];
}
