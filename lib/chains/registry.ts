import { type AddressFamily, COINS, type Coin } from '@/lib/shared/coins';
import { coinSettings } from './coin-settings';
import { evmAddressCodec } from './evm/address';

import type { AddressCodec, ChainAdapter } from './types';

/** The coins that this instance watches: those with a configured node. Reads configuration only, no network. */
export function enabledCoins(): Coin[] {
  return COINS.filter((coin) => coinSettings(coin) !== null);
}

/**
 * How a family's addresses are derived, parsed and shown. Needs no network and no private key.
 * @throws Error when the family has no codec yet
 */
export function addressCodec(family: AddressFamily): AddressCodec {
  if (family === 'EVM') return evmAddressCodec;
  throw new Error(`No address codec for the family ${family}.`);
}

/**
 * The adapter of an enabled coin, loaded on demand so that whoever only shows addresses never loads network code.
 * @param options.signal aborts what is in flight when the process stops
 * @throws Error when the coin is not enabled
 */
export async function chainAdapter(coin: Coin, options: { signal?: AbortSignal } = {}): Promise<ChainAdapter> {
  const settings = coinSettings(coin);
  if (!settings) throw new Error(`No node is configured for ${coin}.`);
  const { EvmAdapter } = await import('./evm/adapter');
  return new EvmAdapter({ coin, url: settings.rpcUrl, chainId: settings.chainId, signal: options.signal });
}
