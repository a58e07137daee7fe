import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { parseUnits } from '@/lib/shared/money';

/**
 * Payment URI that carries the amount, for the QR "Con importo".
 * EIP-681 in wei for ETH, BIP-21 in whole coins for LTC, `ton://transfer` in nanotons for TON. BNB and TRX have none:
 * wallets that ignore the chain id of `ethereum:…@56` would pay on Ethereum, and TRON wallets refuse anything but an address.
 * @param amount whole coins, decimal text
 * @returns null when the coin has no safe form
 */
export function paymentUri(coin: Coin, address: string, amount: string): string | null {
  const units = parseUnits(amount, COIN_INFO[coin].decimals);
  if (units === null) return null;
  switch (coin) {
    case 'ETH':
      return `ethereum:${address}?value=${units}`;
    case 'TON':
      return `ton://transfer/${address}?amount=${units}`;
    case 'LTC':
      return `litecoin:${address}?amount=${amount}`;
    case 'BNB':
    case 'TRX':
      return null;
  }
}
