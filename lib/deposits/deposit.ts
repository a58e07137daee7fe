import type { BlockRef, Transfer } from '@/lib/chains/types';
import type { Coin } from '@/lib/shared/coins';

/** A transfer to one of our addresses: in a block, or seen in the mempool. */
export interface FoundTransfer {
  transfer: Transfer;
  poolAddressId: bigint;
  /** Null while it waits to be mined. */
  block: Pick<BlockRef, 'height' | 'hash' | 'time'> | null;
  /** Confirmations that it needs beside what its chain asks of every deposit. */
  extraConfirmations: number;
}

/** One arrival of money as other domains see it. */
export interface DepositFact {
  id: bigint;
  coin: Coin;
  walletId: number;
  txHash: string;
  fromAddress: string | null;
  amountUnits: bigint;
  blockHeight: bigint | null;
  blockTime: Date | null;
  seenAt: Date;
  /** Not on the chain nor on its way there now. */
  orphaned: boolean;
  /** Blocks from its own to the cursor's, both counted; 0 while it is in no block of the chain. */
  confirmations: number;
  isConfirmed: boolean;
}
