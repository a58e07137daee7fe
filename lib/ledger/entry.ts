import { z } from 'zod';
import type { Coin } from '@/lib/shared/coins';

/** An account by what it counts; it comes into being with its first posting. */
export const LedgerAccount = z.union([
  z.object({ kind: z.enum(['wallet', 'held', 'reorg_loss']), walletId: z.number().int() }),
  z.object({ kind: z.enum(['chain', 'unattributed', 'fees']) }),
]);
export type LedgerAccount = z.infer<typeof LedgerAccount>;

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
