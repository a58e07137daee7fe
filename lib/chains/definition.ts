import type { z } from 'zod';
import type { Chain } from '@/lib/shared/chains';
import type { ChainSender } from './sender';
import type { AddressCodec, ChainReader, ChainTraits, ConfirmationRule } from './types';

/** How this instance reaches a chain, and how it treats what it finds there. */
export interface ChainSettings {
  confirmation: ConfirmationRule;
  /** Milliseconds between two looks at the head. */
  pollMs: number;
  /** A local chain that may be replaced: another one starts a new epoch instead of pausing the chain, and its clock may be moved ahead. */
  isDevnet: boolean;
}

/** A chain with the settings that this process was given. */
export interface ConfiguredChain {
  settings: ChainSettings;
  /**
   * Loads the reader's code and makes one.
   * @param options.signal aborts what is in flight when the process stops
   */
  openReader(options: { signal?: AbortSignal }): Promise<ChainReader>;
}

/** Extended public key of an account below the seed, and its path. */
interface AccountKey {
  path: string;
  publicKey: string;
}

/** How accounts are derived from the seed; for lib/keys alone. */
export interface KeyScheme {
  /**
   * @param seed the 64 bytes of a BIP-39 seed
   * @param account 0 primary wallets, 1 invoice wallets; with a key per merchant also the merchant's own number
   */
  accountKey(seed: Uint8Array, account: number, merchantId: number | null): AccountKey;
}

/** Everything that the product knows of a chain: one per folder (lib/chains/<chain>/chain.ts). */
export interface ChainDefinition {
  chain: Chain;
  traits: ChainTraits;
  codec: AddressCodec;
  /** What the chain's variables in the environment begin with: `ETH` for `ETH_RPC_URL`. */
  prefix: string;
  /** Its variables without the prefix, each with its default and its description. */
  variables: z.ZodObject;
  /** Values with which it reaches the local chain of the devnet; RPC_URL is filled in by whoever starts that. */
  devnetValues: Record<string, string>;
  /**
   * @param given its variables as the environment has them, without the prefix
   * @returns null when no node is configured
   * @throws ZodError with an issue per bad variable
   */
  configure(given: Record<string, string | undefined>): ConfiguredChain | null;
  keys(): Promise<KeyScheme>;
  /** Null until the product can send on this chain. */
  openSender: ((options: { signal?: AbortSignal }) => Promise<ChainSender>) | null;
}
