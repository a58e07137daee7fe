/** The blockchains that the product knows. A chain owns blocks, nodes and finality; what is paid on it is a coin. */
export const CHAINS = ['ethereum', 'bsc', 'ton', 'tron', 'litecoin'] as const;
export type Chain = (typeof CHAINS)[number];

/** Chains with the same key scheme, and so the same addresses, are one family: Ethereum and BNB Smart Chain share EVM. */
const ADDRESS_FAMILIES = ['EVM', 'TON', 'TRON', 'LITECOIN'] as const;
export type AddressFamily = (typeof ADDRESS_FAMILIES)[number];

export interface ChainInfo {
  /** Network as people must read it beside an amount. */
  network: string;
  family: AddressFamily;
  /** Seconds after an invoice's expiry within which a block still counts as in time: a few blocks of the chain. */
  inclusionGraceSeconds: number;
  /** Transaction page of a block explorer with `{hash}`, or null where the screens show the hash alone. */
  explorerTxUrl: string | null;
}

export const CHAIN_INFO: Record<Chain, ChainInfo> = {
  ethereum: {
    network: 'Ethereum',
    family: 'EVM',
    inclusionGraceSeconds: 60,
    explorerTxUrl: 'https://etherscan.io/tx/{hash}',
  },
  bsc: {
    network: 'BNB Smart Chain (BEP-20)',
    family: 'EVM',
    inclusionGraceSeconds: 15,
    explorerTxUrl: 'https://bscscan.com/tx/{hash}',
  },
  ton: {
    network: 'TON',
    family: 'TON',
    inclusionGraceSeconds: 15,
    explorerTxUrl: 'https://tonviewer.com/transaction/{hash}',
  },
  tron: { network: 'TRON', family: 'TRON', inclusionGraceSeconds: 15, explorerTxUrl: null },
  litecoin: { network: 'Litecoin', family: 'LITECOIN', inclusionGraceSeconds: 150, explorerTxUrl: null },
};
