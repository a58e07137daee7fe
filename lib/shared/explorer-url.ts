import { type Coin, chainOf } from './coins';

/** Page of a transaction on the coin's block explorer, or null for the coins that have no link. */
export function explorerUrl(coin: Coin, hash: string): string | null {
  return chainOf(coin).explorerTxUrl?.replace('{hash}', encodeURIComponent(hash)) ?? null;
}
