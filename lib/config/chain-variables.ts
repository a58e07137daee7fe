import { ZodError } from 'zod';
import type { ChainDefinition, ConfiguredChain } from '@/lib/chains/definition';
import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import type { Chain } from '@/lib/shared/chains';

/** The chains that have a node, each with its settings. */
export type ChainConfigurations = Partial<Record<Chain, ConfiguredChain>>;

/** Name in the environment of a chain's variable: `RPC_URL` of Ethereum is `ETH_RPC_URL`. */
export function chainVariable({ prefix }: ChainDefinition, name: string): string {
  return `${prefix}_${name}`;
}

/** The variables of which one at least says where a chain's nodes are. */
export const NODE_VARIABLES = CHAIN_DEFINITIONS.map((definition) => chainVariable(definition, 'RPC_URL'));

/** Names of the variables of all chains. */
export function chainVariableNames(): string[] {
  return CHAIN_DEFINITIONS.flatMap((definition) =>
    Object.keys(definition.variables.shape).map((name) => chainVariable(definition, name)),
  );
}

/**
 * Reads the variables of all chains.
 * @param source the environment, without empty texts
 * @returns the chains that have a node, and one text per bad variable
 */
export function parseChains(source: Record<string, string | undefined>): {
  configured: ChainConfigurations;
  problems: string[];
} {
  const configured: ChainConfigurations = {};
  const problems: string[] = [];
  for (const definition of CHAIN_DEFINITIONS) {
    const names = Object.keys(definition.variables.shape);
    const given = Object.fromEntries(names.map((name) => [name, source[chainVariable(definition, name)]]));
    try {
      const chain = definition.configure(given);
      if (chain) configured[definition.chain] = chain;
    } catch (error) {
      if (!(error instanceof ZodError)) throw error;
      problems.push(
        ...error.issues.map(({ path, message }) => `${chainVariable(definition, String(path[0]))} ${message}`),
      );
    }
  }
  return { configured, problems };
}
