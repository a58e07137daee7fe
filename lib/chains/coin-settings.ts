import { env } from '@/lib/config/env';
import type { Coin } from '@/lib/shared/coins';

/** How this instance reaches a coin's chain, and how it treats what it finds there. */
export interface CoinSettings {
  rpcUrl: string;
  /** EIP-155 chain id that the node must have. */
  chainId: number;
  /** Confirmations after which a deposit counts. */
  confirmations: number;
  /** Milliseconds between two looks at the head. */
  pollMs: number;
  /** A local chain that may be replaced: another one starts a new epoch instead of pausing the coin. */
  isDevnet: boolean;
}

/** The configuration of a coin, or null when no node is configured for it. */
export function coinSettings(coin: Coin): CoinSettings | null {
  const { ETH_RPC_URL, ETH_CHAIN_ID, ETH_CONFIRMATIONS, ETH_POLL_MS, ETH_DEVNET } = env();
  if (coin !== 'ETH' || !ETH_RPC_URL) return null;
  return {
    rpcUrl: ETH_RPC_URL,
    chainId: ETH_CHAIN_ID,
    confirmations: ETH_CONFIRMATIONS,
    pollMs: ETH_POLL_MS,
    isDevnet: ETH_DEVNET,
  };
}
