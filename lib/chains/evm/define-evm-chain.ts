import { z } from 'zod';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import { integerVariable } from '@/lib/shared/env-variable';
import type { ChainDefinition } from '../definition';
import { hasQuorum, NO_QUORUM, nodeVariables } from '../support/node-variables';
import { openQuorum } from '../support/quorum-reader';
import type { ChainTraits } from '../types';
import { evmAddressCodec } from './address';

type OwnTraits = 'seesMempool' | 'transferKey' | 'keyScope';

export interface EvmChainFacts {
  chain: Chain;
  /** Its native coin. */
  coin: Coin;
  prefix: string;
  /** EIP-155 id of the public network. */
  chainId: number;
  /** Confirmations that are asked for unless the operator says otherwise. */
  confirmations: number;
  pollMs: number;
  /** EIP-155 id of the devnet's chain: one that no public network uses. */
  devnetChainId: number;
  traits: Omit<ChainTraits, OwnTraits>;
}

/** A chain that runs the Ethereum Virtual Machine and answers its JSON-RPC. */
export function defineEvmChain(facts: EvmChainFacts): ChainDefinition {
  const { chain, coin, prefix } = facts;
  const variables = z
    .object({
      ...nodeVariables(facts),
      CHAIN_ID: integerVariable(1, 2 ** 31)
        .default(facts.chainId)
        .describe('EIP-155 id that every node must have'),
    })
    .refine(hasQuorum, NO_QUORUM);
  return {
    chain,
    prefix,
    variables,
    codec: evmAddressCodec,
    traits: { ...facts.traits, seesMempool: false, transferKey: 'transaction', keyScope: 'instance' },
    devnetValues: { CHAIN_ID: String(facts.devnetChainId), CONFIRMATIONS: '1', POLL_MS: '250', DEVNET: '1' },
    configure(given) {
      const { RPC_URL, QUORUM, CHAIN_ID, CONFIRMATIONS, POLL_MS, DEVNET } = variables.parse(given);
      if (RPC_URL === undefined) return null;
      return {
        settings: { confirmation: { kind: 'count', blocks: CONFIRMATIONS }, pollMs: POLL_MS, isDevnet: DEVNET },
        async openReader({ signal }) {
          const { EvmReader } = await import('./reader');
          const readers = RPC_URL.map((url) => new EvmReader({ chain, coin, url, chainId: CHAIN_ID, signal }));
          return openQuorum(readers, QUORUM);
        },
      };
    },
    keys: async () => (await import('./account-key')).evmKeyScheme,
    openSender: null,
  };
}
