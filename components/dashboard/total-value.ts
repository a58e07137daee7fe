import type { WalletView } from '@/lib/api-schema/wallets';
import { formatUnits, parseUnits } from '@/lib/shared/money';

const EUR_DECIMALS = 2;

export interface WalletShare {
  wallet: WalletView;
  /** Integer cents. */
  cents: bigint;
  /** Whole percent of the total. */
  percent: number;
}

export interface TotalValue {
  /** Decimal text in euros, or null when no wallet has a value now. */
  euro: string | null;
  /** Wallets that are worth something, largest first. */
  shares: WalletShare[];
}

/** What the wallets are worth together in EUR; a wallet without a rate counts for nothing. */
export function totalValue(wallets: readonly WalletView[]): TotalValue {
  const valued = wallets.flatMap((wallet) => {
    const cents = wallet.balanceEuro === null ? null : parseUnits(String(wallet.balanceEuro), EUR_DECIMALS);
    return cents === null ? [] : [{ wallet, cents }];
  });
  const total = valued.reduce((sum, { cents }) => sum + cents, 0n);
  const shares = valued
    .filter(({ cents }) => cents > 0n)
    .map((share) => ({ ...share, percent: Number((share.cents * 100n + total / 2n) / total) }))
    .sort((a, b) => (a.cents < b.cents ? 1 : a.cents > b.cents ? -1 : 0));
  return { euro: valued.length === 0 && wallets.length > 0 ? null : formatUnits(total, EUR_DECIMALS), shares };
}
