import type { ChainDefinition } from '@/lib/chains/definition';
import { chainVariable } from '@/lib/config/chain-variables';

/**
 * What a process of the product is told to reach a chain of the devnet.
 * @param devnetUrl base URL of the devnet
 */
export function localChainValues(definition: ChainDefinition, devnetUrl: string): Record<string, string> {
  const values = { RPC_URL: `${devnetUrl}/${definition.prefix.toLowerCase()}`, ...definition.devnetValues };
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [chainVariable(definition, name), value]));
}
