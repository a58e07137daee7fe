/** The coins of the product, in the order in which screens list them. */
export const COINS = ['ETH', 'BNB', 'TON', 'TRX', 'LTC'] as const;
export type Coin = (typeof COINS)[number];

/** Coins with the same key scheme, and so the same addresses, are one family: ETH and BNB share EVM. */
export const ADDRESS_FAMILIES = ['EVM', 'TON', 'TRON', 'LITECOIN'] as const;
export type AddressFamily = (typeof ADDRESS_FAMILIES)[number];

export interface CoinInfo {
  /** Name for people. */
  name: string;
  /** Network as people must read it beside an amount. */
  network: string;
  family: AddressFamily;
  /** Decimals of the base unit: 18 means wei. */
  decimals: number;
  /** Trust Wallet coin id (spec section 2, `/pay`). */
  trustWalletId: number;
  /** Seconds after expiry within which a block still counts as in time (design, section 5). */
  inclusionGraceSeconds: number;
  /** An invoice below this many base units is not worth the fee of moving it on (and, on Litecoin, is dust). */
  minimumUnits: bigint;
  /** Above this many base units on its wallet an invoice may be forced paid (spec section 9: 0.01, ETH 0.001). */
  forceThresholdUnits: bigint;
  /** Transaction page of a block explorer with `{hash}`, or null where the spec shows none. */
  explorerTxUrl: string | null;
}

export const COIN_INFO: Record<Coin, CoinInfo> = {
  ETH: {
    name: 'Ethereum',
    network: 'Ethereum',
    family: 'EVM',
    decimals: 18,
    trustWalletId: 60,
    inclusionGraceSeconds: 60,
    minimumUnits: 5n * 10n ** 13n,
    forceThresholdUnits: 10n ** 15n,
    explorerTxUrl: 'https://etherscan.io/tx/{hash}',
  },
  BNB: {
    name: 'BNB',
    network: 'BNB Smart Chain (BEP-20)',
    family: 'EVM',
    decimals: 18,
    trustWalletId: 20000714,
    inclusionGraceSeconds: 15,
    minimumUnits: 2n * 10n ** 13n,
    forceThresholdUnits: 10n ** 16n,
    explorerTxUrl: 'https://bscscan.com/tx/{hash}',
  },
  TON: {
    name: 'TON',
    network: 'TON',
    family: 'TON',
    decimals: 9,
    trustWalletId: 607,
    inclusionGraceSeconds: 15,
    minimumUnits: 2n * 10n ** 7n,
    forceThresholdUnits: 10n ** 7n,
    explorerTxUrl: 'https://tonviewer.com/transaction/{hash}',
  },
  TRX: {
    name: 'TRON',
    network: 'TRON',
    family: 'TRON',
    decimals: 6,
    trustWalletId: 195,
    inclusionGraceSeconds: 15,
    minimumUnits: 10n ** 6n,
    forceThresholdUnits: 10n ** 4n,
    explorerTxUrl: null,
  },
  LTC: {
    name: 'Litecoin',
    network: 'Litecoin',
    family: 'LITECOIN',
    decimals: 8,
    trustWalletId: 2,
    inclusionGraceSeconds: 150,
    minimumUnits: 10n ** 4n,
    forceThresholdUnits: 10n ** 6n,
    explorerTxUrl: null,
  },
};
