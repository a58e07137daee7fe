import { type Coin, chainOf } from '@/lib/shared/coins';

/** "Rete Ethereum": stands beside every coin. */
export function coinNetwork(coin: Coin): string {
  return `Rete ${chainOf(coin).network}`;
}

/** "Wallet Principale", or "Wallet Fattura" for any other type. */
export function walletTypeName(type: string): string {
  return type === 'primary' ? 'Wallet Principale' : 'Wallet Fattura';
}
