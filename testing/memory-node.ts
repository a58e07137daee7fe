import {
  type Balances,
  type BlockRef,
  ChainError,
  type ChainErrorReason,
  type ChainHead,
  type ChainReader,
  type IsWatched,
  type ScannedBlock,
  type Transfer,
} from '@/lib/chains/types';
import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import type { MemoryBlock } from './memory-block';
import type { MemoryChain } from './memory-chain';

export interface MemoryNodeOptions {
  chain: MemoryChain;
  name?: Chain;
  /** Blocks below the head that are final; null when the node does not tell. */
  finalityDepth?: number | null;
}

/** What the node does wrong, for as many calls as asked. */
export type NodeFault =
  /** Fails with an error of this kind. */
  | { kind: 'error'; reason: ChainErrorReason; calls: number }
  /** Answers like another node of the provider that is some blocks behind. */
  | { kind: 'lag'; blocks: number; calls: number };

/** The chain port over a `MemoryChain`, with faults on demand. */
export class MemoryNode implements ChainReader {
  readonly chain: Chain;
  readonly #chain: MemoryChain;
  readonly #finalityDepth: number | null;
  #faults: NodeFault[] = [];
  #beforeScan: (() => Promise<void>) | null = null;

  constructor({ chain, name = 'ethereum', finalityDepth = 64 }: MemoryNodeOptions) {
    this.chain = name;
    this.#chain = chain;
    this.#finalityDepth = finalityDepth;
  }

  get isHealthy(): boolean {
    return this.#faults.length === 0;
  }

  /** The next calls go wrong. */
  break(fault: NodeFault): void {
    this.#faults.push({ ...fault });
  }

  forgetHappening(): void {
    this.#beforeScan = null;
  }

  heal(): void {
    this.#faults = [];
    this.#beforeScan = null;
  }

  /** Does something once, between the look at the head and the reading of blocks: what a slow node makes possible. */
  beforeNextScan(happening: () => Promise<void>): void {
    this.#beforeScan = happening;
  }

  async genesisHash(): Promise<string> {
    this.#visibleHeight();
    return this.#require(0).hash;
  }

  async head(): Promise<ChainHead> {
    const height = this.#visibleHeight();
    const finalized = this.#finalityDepth === null ? null : BigInt(Math.max(0, height - this.#finalityDepth));
    const { hash, time } = this.#require(height);
    return { height: BigInt(height), hash, time, finalizedHeight: finalized };
  }

  async block(height: bigint): Promise<BlockRef> {
    return toBlockRef(this.#require(Number(height), this.#visibleHeight()));
  }

  async scan(from: bigint, to: bigint, isWatched: IsWatched): Promise<ScannedBlock[]> {
    const happening = this.#beforeScan;
    this.#beforeScan = null;
    await happening?.();
    const visible = this.#visibleHeight();
    return Array.from({ length: Number(to - from) + 1 }, (_, offset) => {
      const block = this.#require(Number(from) + offset, visible);
      const ours = block.transfers.filter((transfer) => transfer.succeeds && isWatched(transfer.to));
      const transfers = ours.map(({ succeeds: _succeeds, ...transfer }) => transfer);
      return { ...toBlockRef(block), transfers, outgoing: [] };
    });
  }

  async mempool(isWatched: IsWatched): Promise<Transfer[]> {
    this.#visibleHeight();
    const ours = this.#chain.waiting.filter((transfer) => isWatched(transfer.to));
    return ours.map(({ succeeds: _succeeds, ...transfer }) => transfer);
  }

  async balances(_coin: Coin, addresses: readonly string[], height: bigint): Promise<Balances> {
    this.#require(Number(height), this.#visibleHeight());
    const units = new Map(addresses.map((address) => [address, this.#chain.balanceAt(address, Number(height))]));
    return { height, units };
  }

  async usedAddresses(addresses: readonly string[]): Promise<string[]> {
    const height = this.#visibleHeight();
    return addresses.filter((address) => this.#chain.balanceAt(address, height) > 0n);
  }

  /** Takes one call off the fault that is due. @throws ChainError when it is an error */
  #visibleHeight(): number {
    const [fault] = this.#faults;
    if (!fault) return this.#chain.height;
    fault.calls -= 1;
    if (fault.calls <= 0) this.#faults.shift();
    if (fault.kind === 'lag') return Math.max(0, this.#chain.height - fault.blocks);
    throw new ChainError(fault.reason, `a fault of this test: ${fault.reason}`);
  }

  #require(height: number, visibleHeight = height): MemoryBlock {
    const block = height > visibleHeight ? undefined : this.#chain.blockAt(height);
    if (!block) throw new ChainError('missing_block', `there is no block ${height}`);
    return block;
  }
}

function toBlockRef({ height, hash, parentHash, time, chainTime }: MemoryBlock): BlockRef {
  return { height, hash, parentHash, time, chainTime };
}
