import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { parseUnits } from '@/lib/shared/money';

/**
 * Payment URI that carries the amount, for the QR "Con importo".
 * EIP-681 in wei, BIP-21 in whole coins, `ton://transfer` in nanotons.
 * @param amount whole coins, decimal text
 * @returns null when the coin has no safe form
 */
export function paymentUri(coin: Coin, address: string, amount: string): string | null {
  const { decimals, uriScheme } = COIN_INFO[coin];
  const units = parseUnits(amount, decimals);
  if (units === null) return null;
  switch (uriScheme) {
    case 'ethereum':
      return `ethereum:${address}?value=${units}`;
    case 'ton':
      return `ton://transfer/${address}?amount=${units}`;
    case 'litecoin':
      return `litecoin:${address}?amount=${amount}`;
    case null:
      return null;
  }
}
