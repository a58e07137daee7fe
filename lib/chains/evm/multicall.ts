import { Interface } from 'ethers';
import { z } from 'zod';
import type { RpcCall } from '../support/json-rpc';

/** Where Multicall3 stands on nearly every EVM chain (mds1/multicall3, README "Deployments"). */
export const MULTICALL3_ADDRESS = '0xcA11bde05977b3631167028862bE2a173976CA11';

const MULTICALL3 = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[] results)',
  'function getEthBalance(address owner) view returns (uint256 balance)',
]);

const Bytes = z.string().regex(/^0x(?:[0-9a-fA-F]{2})*$/);
const Results = z.array(z.tuple([z.literal(true), z.string().regex(/^0x[0-9a-fA-F]{64}$/)]));

/**
 * One call for the balances of many addresses in the state of block `height`.
 * @returns a call whose result is in the order of the addresses, or null where Multicall3 has no code
 */
export function balancesCall(addresses: readonly string[], height: bigint): RpcCall<bigint[] | null> {
  const calls = addresses.map((address) => [
    MULTICALL3_ADDRESS,
    false,
    MULTICALL3.encodeFunctionData('getEthBalance', [address]),
  ]);
  const data = MULTICALL3.encodeFunctionData('aggregate3', [calls]);
  return {
    method: 'eth_call',
    params: [{ to: MULTICALL3_ADDRESS, data }, `0x${height.toString(16)}`],
    result: Bytes.transform((bytes, context) => {
      if (bytes === '0x') return null;
      const balances = decodeBalances(bytes);
      if (balances?.length === addresses.length) return balances;
      context.addIssue({ code: 'custom', message: `not the balances of ${addresses.length} addresses` });
      return z.NEVER;
    }),
  };
}

/** @returns null when the bytes are not an answer of `aggregate3` to successful balance calls */
function decodeBalances(bytes: string): bigint[] | null {
  try {
    const [results] = MULTICALL3.decodeFunctionResult('aggregate3', bytes).toArray(true);
    return Results.parse(results).map(([, balance]) => BigInt(balance));
  } catch {
    return null;
  }
}
