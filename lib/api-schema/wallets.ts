import { z } from 'zod';
import { COINS } from '@/lib/shared/coins';
import { MAX_LISTED } from '@/lib/shared/limits';
import { CoinSchema, DecimalText, IsoDate, itemsOf, UnitsText } from './common';

export const CreatePrimaryBody = z.object({ cryptoType: CoinSchema });
export type CreatePrimaryBody = z.infer<typeof CreatePrimaryBody>;

export const WalletsQuery = z.object({ type: z.enum(['primary']).optional() });

export const WalletView = z.object({
  id: z.number(),
  uuid: z.string(),
  cryptoType: CoinSchema,
  type: z.enum(['primary', 'invoice']),
  /** The form that people copy (EVM: checksummed). */
  address: z.string(),
  tag: z.string().nullable(),
  /** Confirmed money, whole coins, 8 decimals, rounded down. */
  balance: DecimalText,
  balanceUnits: UnitsText,
  /** Seen but not confirmed yet. */
  unconfirmedBalance: DecimalText,
  /** Of a primary wallet: confirmed on invoice wallets, waiting to be transferred here. Not spendable yet. */
  pendingTransfer: DecimalText,
  /** EUR value of the balance at the last good rate; null when there is none. */
  balanceEuro: z.number().nullable(),
  createdAt: IsoDate,
});
export type WalletView = z.infer<typeof WalletView>;

/** Primary wallets: one per coin. */
export const WalletList = itemsOf(WalletView, COINS.length);

export const WalletBalanceView = z.object({
  balance: DecimalText,
  balanceUnits: UnitsText,
  unconfirmedBalance: DecimalText,
  /** Of a primary wallet: confirmed on invoice wallets, waiting to be transferred here. Not spendable yet. */
  pendingTransfer: DecimalText,
  balanceEuro: z.number().nullable(),
  cryptoType: CoinSchema,
});
export type WalletBalanceView = z.infer<typeof WalletBalanceView>;

/** One shape with both vocabularies. */
export const TransactionView = z.object({
  id: z.string(),
  hash: z.string(),
  type: z.enum(['in', 'out']),
  direction: z.enum(['in', 'out']),
  amount: DecimalText,
  value: DecimalText,
  confirmations: z.number(),
  timestamp: IsoDate,
  status: z.enum(['unconfirmed', 'confirmed', 'orphaned']),
});
export type TransactionView = z.infer<typeof TransactionView>;

/** The newest ones. */
export const TransactionList = itemsOf(TransactionView, MAX_LISTED);
