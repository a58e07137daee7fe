import { createHash } from 'node:crypto';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { paymentOf } from './made-chain';
import type { MemoryBlock, MemoryTransfer } from './memory-block';
import { placeOrphans, type Reorg } from './memory-reorg';

const BLOCK_SECONDS = 12;

export interface MemoryChainOptions {
  /** Tells hashes of one chain from those of another. */
  seed: string;
  startsAt: Date;
  /** Height of the first head. */
  height?: number;
}

/**
 * A chain without a node: blocks, a mempool, reorgs of any depth and a virtual clock, all of it a pure function of the seed
 * and of what is done to it. `MemoryNode` shows it to the product.
 */
export class MemoryChain {
  #seed: string;
  readonly #byHash = new Map<string, MemoryBlock>();
  #blocks: MemoryBlock[] = [];
  #mempool: MemoryTransfer[] = [];
  #now: Date;
  #serial = 0;

  constructor({ seed, startsAt, height = 0 }: MemoryChainOptions) {
    this.#seed = seed;
    this.#now = addSeconds(startsAt, -BLOCK_SECONDS * (height + 1));
    this.mine(height + 1);
  }

  /** The world's time, which is also the time of the head when it is mined. */
  readonly clock: Clock = () => new Date(this.#now);

  get height(): number {
    return this.#blocks.length - 1;
  }

  get tip(): MemoryBlock {
    return this.blockAt(this.height) ?? unreachable('a chain has a block 0');
  }

  /** What waits to be mined. */
  get waiting(): readonly MemoryTransfer[] {
    return this.#mempool;
  }

  get mempoolSize(): number {
    return this.#mempool.length;
  }

  blockAt(height: number): MemoryBlock | undefined {
    return this.#blocks[height];
  }

  /** Every block from the first to the one with this hash, also on a branch that was replaced. */
  branchOf(hash: string): MemoryBlock[] {
    const branch: MemoryBlock[] = [];
    for (let block = this.#byHash.get(hash); block; block = this.#byHash.get(block.parentHash)) branch.push(block);
    return branch.reverse();
  }

  /** What an address was paid up to a height. */
  balanceAt(address: string, height: number): bigint {
    const transfers = this.#blocks.slice(0, height + 1).flatMap((block) => block.transfers);
    return transfers
      .filter(({ succeeds, to }) => succeeds && to === address)
      .reduce((total, { amountUnits }) => total + amountUnits, 0n);
  }

  /** Lets time pass in which no block is mined. */
  advance(seconds: number): void {
    this.#now = addSeconds(this.#now, seconds);
  }

  /** Sends a transaction into the mempool. */
  send(payment: { to: string; amountUnits: bigint; succeeds?: boolean }): MemoryTransfer {
    const { to, amountUnits, succeeds = true } = payment;
    const transfer = { ...paymentOf(this.#hash('transaction'), to, amountUnits), succeeds };
    this.#mempool.push(transfer);
    return transfer;
  }

  /** Mines blocks, one every 12 seconds; the first takes all that waits in the mempool. */
  mine(count = 1): void {
    for (let mined = 0; mined < count; mined += 1) {
      this.advance(BLOCK_SECONDS);
      this.#append(this.#now, this.#mempool.splice(0));
    }
  }

  /** Mines one block that has a certain time, unless that is over. */
  mineAt(time: Date): void {
    if (time > this.#now) this.#now = time;
    this.#append(this.#now, this.#mempool.splice(0));
  }

  /** Replaces the last blocks by a branch that is longer, or at least as long. Block 0 stays. */
  reorg(reorg: Reorg): void {
    const replaced = this.#blocks.splice(Math.max(1, this.#blocks.length - reorg.depth));
    const { placed, waiting } = placeOrphans(replaced, reorg);
    this.#mempool.push(...waiting);
    this.advance(BLOCK_SECONDS * Math.max(1, reorg.extraBlocks));
    placed.forEach((transfers, index) => {
      const latest = addSeconds(this.#now, -BLOCK_SECONDS * (placed.length - 1 - index));
      this.#append(reorg.isLate ? latest : (replaced[index]?.time ?? latest), transfers);
    });
  }

  /** Another chain begins in its place, as when a devnet is started anew: its head is mined now, nothing of the old one waits. */
  replace(seed: string, height: number): void {
    this.#seed = seed;
    this.#blocks = [];
    this.#mempool = [];
    const now = this.#now;
    for (let below = height; below >= 0; below -= 1) this.#append(addSeconds(now, -BLOCK_SECONDS * below), []);
  }

  #append(time: Date, transfers: MemoryTransfer[]): void {
    const parent = this.#blocks.at(-1);
    // Like on Ethereum, a block is later than its parent.
    const own = parent && time <= parent.time ? addSeconds(parent.time, 1) : time;
    const block: MemoryBlock = {
      height: BigInt(this.#blocks.length),
      hash: this.#hash('block'),
      parentHash: parent?.hash ?? `0x${'0'.repeat(64)}`,
      time: own,
      chainTime: own,
      transfers,
    };
    this.#blocks.push(block);
    this.#byHash.set(block.hash, block);
    if (block.time > this.#now) this.#now = block.time;
  }

  #hash(kind: string): string {
    this.#serial += 1;
    return `0x${createHash('sha256').update(`${this.#seed}:${kind}:${this.#serial}`).digest('hex')}`;
  }
}

function unreachable(message: string): never {
  throw new Error(message);
}
