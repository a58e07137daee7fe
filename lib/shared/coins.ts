import { CHAIN_INFO, type Chain, type ChainInfo } from './chains';

/** The coins of the product, in the order in which screens list them. A coin is an asset on a chain. */
export const COINS = ['ETH', 'BNB', 'TON', 'TRX', 'LTC'] as const;
export type Coin = (typeof COINS)[number];

export interface CoinInfo {
  /** Name for people. */
  name: string;
  /** Where it is paid. */
  chain: Chain;
  /** Decimals of the base unit: 18 means wei. */
  decimals: number;
  /** Names under which price venues list it, the one to trust most first. */
  tickers: readonly [string, ...string[]];
  /**
   * Form of the URI that carries an amount to a wallet app: EIP-681, TON's own or BIP-21; null where no form is safe. Wallets
   * that ignore the chain id of `ethereum:…@56` would pay BNB on Ethereum, and TRON wallets refuse anything but an address.
   */
  uriScheme: 'ethereum' | 'ton' | 'litecoin' | null;
  /** Coin id of Trust Wallet (SLIP-44, and Trust Wallet's own for BNB Smart Chain). */
  trustWalletId: number;
  /** An invoice below this many base units is not worth the fee of moving it on (and, on Litecoin, is dust). */
  minimumUnits: bigint;
  /** Less than this many base units announces nothing to anybody: strangers send dust to every address they see. */
  dustUnits: bigint;
  /** Above this many base units on its wallet an invoice may be forced paid: 0.01 coins, of ETH 0.001. */
  forceThresholdUnits: bigint;
}

export const COIN_INFO: Record<Coin, CoinInfo> = {
  ETH: {
    name: 'Ethereum',
    chain: 'ethereum',
    decimals: 18,
    tickers: ['ETH'],
    uriScheme: 'ethereum',
    trustWalletId: 60,
    minimumUnits: 5n * 10n ** 13n,
    dustUnits: 5n * 10n ** 12n,
    forceThresholdUnits: 10n ** 15n,
  },
  BNB: {
    name: 'BNB',
    chain: 'bsc',
    decimals: 18,
    tickers: ['BNB'],
    uriScheme: null,
    trustWalletId: 20000714,
    minimumUnits: 2n * 10n ** 13n,
    dustUnits: 2n * 10n ** 12n,
    forceThresholdUnits: 10n ** 16n,
  },
  TON: {
    name: 'TON',
    chain: 'ton',
    decimals: 9,
    // TON became GRAM in 2026; old pairs linger with an empty book.
    tickers: ['GRAM', 'TON'],
    uriScheme: 'ton',
    trustWalletId: 607,
    minimumUnits: 2n * 10n ** 7n,
    dustUnits: 10n ** 6n,
    forceThresholdUnits: 10n ** 7n,
  },
  TRX: {
    name: 'TRON',
    chain: 'tron',
    decimals: 6,
    tickers: ['TRX'],
    uriScheme: null,
    trustWalletId: 195,
    minimumUnits: 10n ** 6n,
    dustUnits: 10n ** 4n,
    forceThresholdUnits: 10n ** 4n,
  },
  LTC: {
    name: 'Litecoin',
    chain: 'litecoin',
    decimals: 8,
    tickers: ['LTC'],
    uriScheme: 'litecoin',
    trustWalletId: 2,
    minimumUnits: 10n ** 4n,
    dustUnits: 5_460n,
    forceThresholdUnits: 10n ** 6n,
  },
};

/** All coins: those that a screen wants first, then the others in the usual order. */
export function coinsFrom(first: readonly Coin[]): Coin[] {
  return [...new Set([...first, ...COINS])];
}

/** The chain on which a coin is paid, and what people and screens need of it. */
export function chainOf(coin: Coin): ChainInfo {
  return CHAIN_INFO[COIN_INFO[coin].chain];
}

/** The coins that are paid on a chain. */
export function coinsOf(chain: Chain): Coin[] {
  return COINS.filter((coin) => COIN_INFO[coin].chain === chain);
}
