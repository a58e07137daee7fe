import type { Coin } from '@/lib/shared/coins';

/** A block as the scan needs it. `time` is the block's own timestamp. */
export interface BlockRef {
  height: bigint;
  hash: string;
  parentHash: string;
  time: Date;
}

/** A native transfer that succeeded. Addresses are canonical. `txIndex` tells transfers of one transaction apart. */
export interface Transfer {
  txHash: string;
  txIndex: number;
  from: string | null;
  to: string;
  amountUnits: bigint;
}

/** A block with the transfers to watched addresses in it. */
export interface ScannedBlock extends BlockRef {
  transfers: Transfer[];
}

export interface ChainHead {
  height: bigint;
  /** Hash of the head block: tells a replaced head from an unchanged one of the same height. */
  hash: string;
  /** Highest block that cannot be undone any more; null when the node does not tell. */
  finalizedHeight: bigint | null;
}

/** How a family derives and writes addresses; needs no network and no private key. */
export interface AddressCodec {
  /** Address number `index` below an account's extended public key, canonical. */
  derive(accountPublicKey: string, index: number): string;
  /** Canonical form of what a person typed, or null when it is not an address of this family. */
  parse(text: string): string | null;
  /** The form that people copy and compare. */
  display(canonical: string): string;
}

/** What the product asks of a chain. Each call throws ChainError on a fault of the node: a retry, never progress. */
export interface ChainAdapter {
  readonly coin: Coin;
  /** Hash of block 0: the identity of the chain. */
  genesisHash(): Promise<string>;
  head(): Promise<ChainHead>;
  /** One block's header. */
  block(height: bigint): Promise<BlockRef>;
  /** Blocks `from`..`to` inclusive, hash-linked, each with its transfers to addresses for which `isWatched` is true. */
  scan(from: bigint, to: bigint, isWatched: (canonicalAddress: string) => boolean): Promise<ScannedBlock[]>;
  /**
   * What addresses hold in the state of block `height`, in base units, by canonical address. A node that no longer keeps
   * that state refuses: no balance is ever guessed.
   */
  balances(addresses: readonly string[], height: bigint): Promise<Map<string, bigint>>;
}

/** Why a node's answer could not be used. */
export type ChainErrorReason =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'invalid_answer'
  | 'missing_block'
  | 'wrong_chain';

/** A fault of a node. Callers retry; no answer of this kind ever counts as "nothing there". */
export class ChainError extends Error {
  readonly reason: ChainErrorReason;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    reason: ChainErrorReason,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ChainError';
    this.reason = reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
