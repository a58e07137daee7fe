import type { Coin } from '@/lib/shared/coins';
import { type BlockRef, type ChainAdapter, ChainError, type ChainHead, type ScannedBlock } from '../types';
import { EvmRpc } from './rpc';
import type { EvmBlock, EvmHeader } from './schemas';
import { payingTransactions, successfulTransfers } from './transfers';

export interface EvmAdapterOptions {
  coin: Coin;
  url: string;
  /** EIP-155 id that the node must report before anything else of it is believed. */
  chainId: number;
  timeoutMs?: number;
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/** An EVM chain over JSON-RPC. Native value of successful top-level transactions only. */
export class EvmAdapter implements ChainAdapter {
  readonly coin: Coin;
  readonly #chainId: bigint;
  readonly #rpc: EvmRpc;
  #isChainVerified = false;

  constructor({ coin, chainId, ...rpcOptions }: EvmAdapterOptions) {
    this.coin = coin;
    this.#chainId = BigInt(chainId);
    this.#rpc = new EvmRpc(rpcOptions);
  }

  genesisHash(): Promise<string> {
    return this.#onOwnChain(async () => (await this.#rpc.header(0n)).hash);
  }

  head(): Promise<ChainHead> {
    return this.#onOwnChain(async () => {
      const { head, finalized } = await this.#rpc.headAndFinalized();
      return { height: head.number, hash: head.hash, finalizedHeight: finalized?.number ?? null };
    });
  }

  block(height: bigint): Promise<BlockRef> {
    return this.#onOwnChain(async () => toBlockRef(await this.#rpc.header(height)));
  }

  scan(from: bigint, to: bigint, isWatched: (canonicalAddress: string) => boolean): Promise<ScannedBlock[]> {
    return this.#onOwnChain(async () => {
      const blocks = await this.#rpc.blocks(from, to);
      requireLinked(blocks);
      const paying = blocks.map((block) => payingTransactions(block, isWatched));
      const receipts = await this.#rpc.receipts(paying.flat().map((transaction) => transaction.hash));
      let taken = 0;
      return blocks.map((block, index) => {
        const transactions = paying[index] ?? [];
        const own = receipts.slice(taken, taken + transactions.length);
        taken += transactions.length;
        return { ...toBlockRef(block), transfers: successfulTransfers(transactions, own) };
      });
    });
  }

  balances(addresses: readonly string[], height: bigint): Promise<Map<string, bigint>> {
    return this.#onOwnChain(async () => {
      const balances = await this.#rpc.balances(addresses, height);
      return new Map(balances.map((units, index) => [addresses[index] ?? '', units]));
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

function toBlockRef(header: EvmHeader): BlockRef {
  return { height: header.number, hash: header.hash, parentHash: header.parentHash, time: header.timestamp };
}

function requireLinked(blocks: EvmBlock[]): void {
  blocks.forEach((block, index) => {
    const parent = blocks[index - 1];
    if (parent && block.parentHash !== parent.hash)
      throw new ChainError('invalid_answer', `block ${block.number} does not follow the block before it`);
  });
}
