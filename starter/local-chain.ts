/** EIP-155 id of the local Ethereum chain: anvil's own default, which no public network uses. */
export const ETHEREUM_CHAIN_ID = 31_337;
