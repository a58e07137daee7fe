import { COIN_INFO, type Coin } from '@/lib/shared/coins';

/** "Rete Ethereum": stands beside every coin. */
export function coinNetwork(coin: Coin): string {
  return `Rete ${COIN_INFO[coin].network}`;
}
