/** Names that any caller of a real node may use; `eth_sendUnsignedTransaction` is anvil's own and needs no key. */
const PUBLIC = /^(?:eth_(?!sendUnsignedTransaction$)|net_|web3_|trace_|debug_trace)/;

/**
 * Whether a JSON-RPC method exists on a real Ethereum node. All others (`anvil_*`, `evm_*`, `hardhat_*`, `personal_*`, …)
 * change the chain at will and need the control token.
 */
export function isPublicMethod(method: string): boolean {
  return PUBLIC.test(method);
}
