import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';

/** A block as the scan needs it. */
export interface BlockRef {
  height: bigint;
  hash: string;
  parentHash: string;
  /** The block's own timestamp: when the money in it arrived. */
  time: Date;
  /**
   * The chain's time at this block, which decides expiries: never earlier than its parent's, and not for the miner of one
   * block to choose. Ethereum's timestamps rise by protocol; on Litecoin it is the median time past (BIP 113).
   */
  chainTime: Date;
}

/**
 * Why money came into being: a payment, the reward of a block, or coins that left an extension block (Litecoin's MWEB). No
 * reader tells of a `credit`: an operator makes it of money that no reader can see.
 */
const TRANSFER_KINDS = ['payment', 'coinbase', 'peg_out', 'credit'] as const;
type TransferKind = (typeof TRANSFER_KINDS)[number];

/** Money that came to an address, successfully. Addresses are canonical. */
export interface Transfer {
  /**
   * Names it on its chain for ever, whatever block it is in: opaque outside the chain's folder. A transaction's hash where
   * it moves money once, hash and output where it moves more, account and logical time on TON.
   */
  key: string;
  txHash: string;
  coin: Coin;
  kind: TransferKind;
  from: string | null;
  to: string;
  amountUnits: bigint;
  /** Confirmations before which it cannot be spent, whatever the chain asks for otherwise (a coinbase's 100); 0 for none. */
  maturity: number;
  /**
   * Names of what it uses up (outpoints). Two transfers that name the same exclude each other: when one is mined the other
   * was replaced. Empty on chains whose transactions cannot be seen before they are final.
   */
  spends: readonly string[];
}

/** Money that left one of the watched addresses. */
export interface OutgoingTransfer {
  txHash: string;
  coin: Coin;
  from: string;
  /** Null where it created a contract, or went to several. */
  to: string | null;
  /** Without the fee; 0 when it failed and only its fee was taken. */
  amountUnits: bigint;
  feeUnits: bigint;
}

/** A block with the transfers to and from watched addresses in it. */
export interface ScannedBlock extends BlockRef {
  transfers: Transfer[];
  outgoing: OutgoingTransfer[];
}

export interface ChainHead {
  height: bigint;
  /** Hash of the head block: tells a replaced head from an unchanged one of the same height. */
  hash: string;
  /** Its own timestamp. */
  time: Date;
  /** Highest block that cannot be undone any more; null when the node does not tell. */
  finalizedHeight: bigint | null;
}

/** What addresses hold, in base units, by canonical address, in the state of one block. */
export interface Balances {
  /** The block whose state was answered: the one asked for, or a later one where a node keeps no older state. */
  height: bigint;
  units: Map<string, bigint>;
}

/** How a chain derives and writes addresses; needs no network and no private key, and runs in a browser. */
export interface AddressCodec {
  /** Address number `index` below an account's extended public key, canonical. */
  derive(accountPublicKey: string, index: number): string;
  /** Canonical form of what a person typed, or null when it is not an address of this family. */
  parse(text: string): string | null;
  /** The form that people copy and compare. */
  display(canonical: string): string;
}

export type IsWatched = (canonicalAddress: string) => boolean;

/** How a chain is read. Each call throws ChainError on a fault of the node: a retry, never progress. */
export interface ChainReader {
  readonly chain: Chain;
  /** Hash of block 0: the identity of the chain. */
  genesisHash(): Promise<string>;
  head(): Promise<ChainHead>;
  /** One block's header. */
  block(height: bigint): Promise<BlockRef>;
  /**
   * Blocks `from`..`to` inclusive, hash-linked, each with its transfers from and to addresses that are watched.
   * A block whose transactions are cut off is a fault of the node, and so is a receipt that is missing: whatever the chain
   * offers to tell (a root, a count, the gas that was used) is checked here. Nothing that was left out comes back later.
   */
  scan(from: bigint, to: bigint, isWatched: IsWatched): Promise<ScannedBlock[]>;
  /**
   * Every transfer to a watched address that waits to be mined, all of them each time: one that is missing has ended.
   * Called where the chain's traits say that the mempool is seen.
   */
  mempool(isWatched: IsWatched): Promise<Transfer[]>;
  /** What addresses hold of a coin in the state of block `height`, or later (see Balances). No balance is ever guessed. */
  balances(coin: Coin, addresses: readonly string[], height: bigint): Promise<Balances>;
  /**
   * Those of some addresses that were used, as far as a node without an index of addresses tells: they hold something at the
   * head, or sent something before. One that is not among them may have been used and emptied by others.
   */
  usedAddresses(addresses: readonly string[]): Promise<string[]>;
}

/** From when a deposit counts. */
export type ConfirmationRule =
  /** After so many blocks, its own included. */
  | { kind: 'count'; blocks: number }
  /** When its block is final; `shown` is what people are told to wait for, about. */
  | { kind: 'finality'; shown: number }
  /** The more it is the longer: the last step whose `fromUnits` it reaches. Steps rise in both; the first is from 0. */
  | { kind: 'amount'; steps: readonly { fromUnits: bigint; blocks: number }[] };

/** What is a chain's own and not for an operator to set. */
export interface ChainTraits {
  /** Headers below the first block that are kept, so that a reorg across the start finds its fork. */
  ancestorsAtStart: number;
  /** Blocks that are kept to find where a reorg branched off; a deeper one is refused. */
  keptBlocks: number;
  /** Blocks read and committed at a time. */
  blocksPerStep: number;
  /** A node may be this far behind another one of the same provider without meaning anything. */
  toleratedLagBlocks: number;
  /** A node whose newest block is older than this hangs. */
  stalledAfterSeconds: number;
  /** A block that is dated further ahead of the database's time is refused: what its miners may choose, and how far clocks differ. */
  toleratedAheadSeconds: number;
  /** Whether the reader's `mempool` is asked. */
  seesMempool: boolean;
  /** What a transfer's key is made of: `transaction` where one transaction moves money to an address once. */
  transferKey: 'transaction' | 'output' | 'message';
  /** Whether one account key serves all merchants, or each has one of its own, because a shared one would link them on chain. */
  keyScope: 'instance' | 'merchant';
}

/** Why a node's answer could not be used. `disagreement`: the nodes of one chain do not say the same. */
export type ChainErrorReason =
  | 'unreachable'
  | 'timeout'
  | 'rate_limited'
  | 'invalid_answer'
  | 'missing_block'
  | 'wrong_chain'
  | 'disagreement';

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
