import type { Coin } from '@/lib/shared/coins';

/** The right to read one coin's chain. A newer lease has a greater token, and every write checks it. */
export interface Lease {
  coin: Coin;
  token: bigint;
  owner: string;
}

/** How far a coin's chain has been read, and on which chain. */
export interface Cursor {
  coin: Coin;
  /** Hash of block 0; null before the first start. */
  genesisHash: string | null;
  epoch: number;
  height: bigint | null;
  hash: string | null;
  /** Time of the cursor's block. */
  blockTime: Date | null;
  headHeight: bigint | null;
  /** Highest block that was read and cannot be undone any more. */
  finalizedHeight: bigint | null;
  loadedGeneration: bigint;
  /** A `PauseReason`, or an operator's own word. */
  pausedReason: string | null;
  /** Confirmations after which a deposit counts. */
  confirmations: number;
}

/**
 * Why the watcher itself stopped crediting a coin. It goes on by itself when the node shows the known chain again; any
 * other reason was set by an operator and stays until the operator takes it away.
 */
export const PAUSE_REASONS = [
  'wrong_chain_id',
  'foreign_chain',
  'head_lower',
  'reorg_below_finalized',
  'reorg_too_deep',
] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Somebody else holds the coin's lease: whatever was read under the old one must be dropped. */
export class LeaseLostError extends Error {
  constructor(lease: Lease) {
    super(`The lease ${lease.token} of ${lease.coin} is no longer the newest.`);
    this.name = 'LeaseLostError';
  }
}

/** One arrival of money as other domains see it. */
export interface DepositFact {
  id: bigint;
  coin: Coin;
  walletId: number;
  txHash: string;
  txIndex: number;
  fromAddress: string | null;
  amountUnits: bigint;
  blockHeight: bigint | null;
  blockTime: Date | null;
  seenAt: Date;
  /** Set while the block that held it is not on the chain. */
  orphanedAt: Date | null;
  /** Blocks from its own to the cursor's, both counted; 0 while it is in no block of the chain. */
  confirmations: number;
  /** True once the confirmations reach what the coin asks for. */
  isConfirmed: boolean;
}
