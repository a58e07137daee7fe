import type { Coin } from '@/lib/shared/coins';

/** About what an invoice would cost in each coin now: whole coins, decimal text with 8 decimals. */
export type CoinEstimates = Partial<Record<Coin, string>>;
