import { chainDefinition } from '@/lib/chains/registry';

/** EIP-155 id of the local Ethereum chain: anvil's own default, which no public network uses. */
export const ETHEREUM_CHAIN_ID = Number(chainDefinition('ethereum').devnetValues.CHAIN_ID);
