import type { Chain } from '@/lib/shared/chains';
import type { Coin } from '@/lib/shared/coins';
import {
  type Balances,
  type BlockRef,
  ChainError,
  type ChainHead,
  type ChainReader,
  type IsWatched,
  type ScannedBlock,
} from '../types';
import { EvmRpc } from './rpc';
import type { EvmBlock, EvmHeader } from './schemas';
import { outgoingTransfers, relevantTransactions, requireSize, successfulTransfers } from './transfers';

export interface EvmReaderOptions {
  chain: Chain;
  /** The chain's native coin. */
  coin: Coin;
  url: string;
  /** EIP-155 id that the node must report before anything else of it is believed. */
  chainId: number;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/** An EVM chain over JSON-RPC. Native value of successful top-level transactions only. */
export class EvmReader implements ChainReader {
  readonly chain: Chain;
  readonly #coin: Coin;
  readonly #chainId: bigint;
  readonly #rpc: EvmRpc;
  #isChainVerified = false;

  constructor({ chain, coin, chainId, ...rpcOptions }: EvmReaderOptions) {
    this.chain = chain;
    this.#coin = coin;
    this.#chainId = BigInt(chainId);
    this.#rpc = new EvmRpc(rpcOptions);
  }

  genesisHash(): Promise<string> {
    return this.#onOwnChain(async () => (await this.#rpc.header(0n)).hash);
  }

  head(): Promise<ChainHead> {
    return this.#onOwnChain(async () => {
      const { head, finalized } = await this.#rpc.headAndFinalized();
      const { number: height, hash, timestamp: time } = head;
      return { height, hash, time, finalizedHeight: finalized?.number ?? null };
    });
  }

  block(height: bigint): Promise<BlockRef> {
    return this.#onOwnChain(async () => toBlockRef(await this.#rpc.header(height)));
  }

  scan(from: bigint, to: bigint, isWatched: IsWatched): Promise<ScannedBlock[]> {
    return this.#onOwnChain(async () => {
      const blocks = await this.#rpc.blocks(from, to);
      requireLinked(blocks);
      const relevant = blocks.map((block) => relevantTransactions(block, isWatched));
      await this.#requireSizes(blocks);
      const receipts = await this.#rpc.receipts(relevant.flat().map((transaction) => transaction.hash));
      let taken = 0;
      return blocks.map((block, index) => {
        const transactions = relevant[index] ?? [];
        const own = receipts.slice(taken, taken + transactions.length);
        taken += transactions.length;
        return {
          ...toBlockRef(block),
          transfers: successfulTransfers(transactions, own, { coin: this.#coin, isWatched }),
          outgoing: outgoingTransfers(transactions, own, { coin: this.#coin, isWatched }),
        };
      });
    });
  }

  /** Gas limits alone do not tell that the end of a list is cut off, and gas that was refunded counts in the header. */
  async #requireSizes(blocks: readonly EvmBlock[]): Promise<void> {
    const filled = blocks.filter(({ transactions }) => transactions.length > 0);
    const sizes = await this.#rpc.blockSizes(filled.map(({ hash }) => hash));
    filled.forEach((block, index) => {
      requireSize(block, sizes[index]);
    });
  }

  async mempool(): Promise<never> {
    throw new Error(`The mempool of ${this.chain} is not read.`);
  }

  balances(coin: Coin, addresses: readonly string[], height: bigint): Promise<Balances> {
    if (coin !== this.#coin) throw new Error(`${this.chain} holds no ${coin}.`);
    return this.#onOwnChain(async () => {
      const balances = await this.#rpc.balances(addresses, height);
      return { height, units: new Map(balances.map((units, index) => [addresses[index] ?? '', units])) };
    });
  }

  usedAddresses(addresses: readonly string[]): Promise<string[]> {
    return this.#onOwnChain(async () => {
      const { head } = await this.#rpc.headAndFinalized();
      const balances = await this.#rpc.balances(addresses, head.number);
      const sent = await this.#rpc.transactionCounts(addresses, head.number);
      return addresses.filter((_, index) => balances[index] !== 0n || sent[index] !== 0n);
    });
  }

  /** Checks the chain id first; again after any fault, because behind the same URL may stand another node by then. */
  async #onOwnChain<T>(work: () => Promise<T>): Promise<T> {
    try {
      if (!this.#isChainVerified) {
        const chainId = await this.#rpc.chainId();
        if (chainId !== this.#chainId)
          throw new ChainError('wrong_chain', `the node is on chain ${chainId}, not on ${this.#chainId}`);
        this.#isChainVerified = true;
      }
      return await work();
    } catch (error) {
      this.#isChainVerified = false;
      throw error;
    }
  }
}

/** A block is later than its parent by protocol (yellow paper, 4.4.4): its timestamp is the chain's time too. */
function toBlockRef({ number, hash, parentHash, timestamp }: EvmHeader): BlockRef {
  return { height: number, hash, parentHash, time: timestamp, chainTime: timestamp };
}

function requireLinked(blocks: EvmBlock[]): void {
  blocks.forEach((block, index) => {
    const parent = blocks[index - 1];
    if (parent && block.parentHash !== parent.hash)
      throw new ChainError('invalid_answer', `block ${block.number} does not follow the block before it`);
  });
}
