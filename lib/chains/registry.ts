import { type AddressFamily, CHAIN_INFO, type Chain } from '@/lib/shared/chains';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import type { ChainDefinition } from './definition';
import { ethereum } from './ethereum/chain';
import type { AddressCodec } from './types';

/** The chains that the product can read. One that is missing here is known by name only. */
const DEFINITIONS: Partial<Record<Chain, ChainDefinition>> = { ethereum };

/** Every chain's definition, in no particular order. */
export const CHAIN_DEFINITIONS: readonly ChainDefinition[] = Object.values(DEFINITIONS);

const CODECS = new Map<AddressFamily, AddressCodec>(
  CHAIN_DEFINITIONS.map(({ chain, codec }) => [CHAIN_INFO[chain].family, codec]),
);

/** What is known of a chain. @throws Error when the product cannot read it */
export function chainDefinition(chain: Chain): ChainDefinition {
  return present(DEFINITIONS[chain], `No definition of the chain ${chain}.`);
}

/** How a family's addresses are derived, parsed and shown. @throws Error when none of its chains can be read */
export function addressCodec(family: AddressFamily): AddressCodec {
  return present(CODECS.get(family), `No address codec for the family ${family}.`);
}

/** Where the address of a new wallet comes from. */
export interface AddressSource {
  chain: Chain;
  family: AddressFamily;
  /** Only addresses of a key of the merchant's own will do. */
  hasOwnKey: boolean;
}

/** Where a coin's wallets get their addresses from. @throws Error when its chain cannot be read */
export function addressSourceOf(coin: Coin): AddressSource {
  const { chain } = COIN_INFO[coin];
  return { chain, family: CHAIN_INFO[chain].family, hasOwnKey: chainDefinition(chain).traits.keyScope === 'merchant' };
}

function present<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Error(message);
  return value;
}
