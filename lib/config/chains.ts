import type { ConfiguredChain } from '@/lib/chains/definition';
import { CHAINS, type Chain } from '@/lib/shared/chains';
import { COIN_INFO, COINS, type Coin } from '@/lib/shared/coins';
import { NODE_VARIABLES } from './chain-variables';
import { env } from './env';

/** The chains that this instance reads: those with a configured node. Reads configuration only, no network. */
export function enabledChains(): Chain[] {
  return CHAINS.filter((chain) => env().chains[chain] !== undefined);
}

/** The coins that can be paid here: those of the enabled chains. */
export function enabledCoins(): Coin[] {
  return COINS.filter((coin) => env().chains[COIN_INFO[coin].chain] !== undefined);
}

/** A chain with its settings. @throws Error when no node is configured for it */
export function configuredChain(chain: Chain): ConfiguredChain {
  const configured = env().chains[chain];
  if (!configured) throw new Error(`No node is configured for ${chain}.`);
  return configured;
}

/** @throws Error when no chain has a node: whoever reads chains has nothing to do */
export function requireChains(): Chain[] {
  const chains = enabledChains();
  if (chains.length === 0) throw new Error(`Bad configuration: ${NODE_VARIABLES.join(' or ')} is required.`);
  return chains;
}
