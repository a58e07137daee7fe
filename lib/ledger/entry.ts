import type { Coin } from '@/lib/shared/coins';

/** An account by what it counts; it comes into being with its first posting. */
export type LedgerAccount =
  | { kind: 'wallet' | 'held' | 'reorg_loss'; walletId: number }
  | { kind: 'chain' | 'unattributed' | 'fees' };

export interface Posting {
  account: LedgerAccount;
  /** Base units: positive adds to the account, negative takes away. Never 0. */
  amountUnits: bigint;
}

/** One fact to book. Its postings sum to zero. */
export interface LedgerEntry {
  /** Names the fact: a second entry with the same key is not booked. */
  key: string;
  /** What kind of fact, for reports. */
  kind: 'deposit' | 'reversal' | 'attribution' | 'chain_reset';
  coin: Coin;
  postings: Posting[];
}
