import { COIN_INFO, type Coin } from './coins';

/** Page of a transaction on the coin's block explorer, or null for the coins that have no link (spec, section 9). */
export function explorerUrl(coin: Coin, hash: string): string | null {
  return COIN_INFO[coin].explorerTxUrl?.replace('{hash}', encodeURIComponent(hash)) ?? null;
}
