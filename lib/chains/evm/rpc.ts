import { JsonRpcClient, type JsonRpcOptions, type RpcCall } from '../support/json-rpc';
import { ChainError } from '../types';
import { balancesCall } from './multicall';
import {
  BalanceSchema,
  BlockSchema,
  ChainIdSchema,
  type EvmBlock,
  type EvmHeader,
  type EvmReceipt,
  HeaderSchema,
  ReceiptSchema,
  TransactionCountSchema,
} from './schemas';

/** Blocks with all transactions per request: about 2 MB on Ethereum. Public nodes take at least 10 calls per batch. */
const BLOCKS_PER_BATCH = 5;
const RECEIPTS_PER_BATCH = 10;
const SIZES_PER_BATCH = 10;
/** About 3 million gas and 200 kB each way; nodes allow 50 million per call. */
const BALANCES_PER_CALL = 500;
/** Only private chains lack Multicall3, and their nodes take long batches. */
const BALANCES_PER_BATCH = 100;
/** Asked after a restore alone; short answers, and the batch that public nodes take. */
const COUNTS_PER_BATCH = 100;

type HeaderTag = 'latest' | 'finalized' | bigint;

/** The few calls that watching an EVM chain needs; each answer parsed, each absence an error. */
export class EvmRpc {
  readonly #client: JsonRpcClient;

  constructor(options: JsonRpcOptions) {
    this.#client = new JsonRpcClient(options);
  }

  chainId(): Promise<bigint> {
    return this.#client.call({ method: 'eth_chainId', params: [], result: ChainIdSchema });
  }

  /** The newest block, and the newest that is final, null when the node does not tell. */
  async headAndFinalized(): Promise<{ head: EvmHeader; finalized: EvmHeader | null }> {
    const [head, finalized] = await this.#client.settle([headerCall('latest'), headerCall('finalized')]);
    if (!head) throw new ChainError('invalid_answer', 'no answer for the newest block');
    if (!head.ok) throw head.error;
    return { head: present(head.value, 'latest'), finalized: finalized?.ok ? finalized.value : null };
  }

  async header(height: bigint): Promise<EvmHeader> {
    return atHeight(present(await this.#client.call(headerCall(height)), height), height);
  }

  /** Blocks `from`..`to` with their transactions, in order. */
  async blocks(from: bigint, to: bigint): Promise<EvmBlock[]> {
    const heights = Array.from({ length: Number(to - from) + 1 }, (_, offset) => from + BigInt(offset));
    const blocks = await this.#inBatches(heights, BLOCKS_PER_BATCH, blockCall);
    return heights.map((height, index) => atHeight(present(blocks[index] ?? null, height), height));
  }

  /** How many transactions each block holds, by its hash, in order. */
  async blockSizes(blockHashes: readonly string[]): Promise<bigint[]> {
    const sizes = await this.#inBatches(blockHashes, SIZES_PER_BATCH, blockSizeCall);
    return blockHashes.map((hash, index) => present(sizes[index] ?? null, hash));
  }

  /** Receipts in the order of the transactions. */
  async receipts(transactionHashes: string[]): Promise<EvmReceipt[]> {
    const receipts = await this.#inBatches(transactionHashes, RECEIPTS_PER_BATCH, receiptCall);
    return transactionHashes.map((hash, index) => {
      const receipt = receipts[index];
      if (!receipt) throw new ChainError('missing_block', `no receipt of ${hash}`);
      if (receipt.transactionHash !== hash)
        throw new ChainError('invalid_answer', `another receipt than that of ${hash}`);
      return receipt;
    });
  }

  /** What each address holds in the state of block `height`, in order: by Multicall3, one by one where it has no code. */
  async balances(addresses: readonly string[], height: bigint): Promise<bigint[]> {
    const balances: bigint[] = [];
    while (balances.length < addresses.length) {
      const chunk = addresses.slice(balances.length, balances.length + BALANCES_PER_CALL);
      const toCall = (address: string) => balanceCall(address, height);
      const counted = await this.#client.call(balancesCall(chunk, height));
      balances.push(...(counted ?? (await this.#inBatches(chunk, BALANCES_PER_BATCH, toCall))));
    }
    return balances;
  }

  /** How many transactions each address had sent up to block `height`, in order. */
  transactionCounts(addresses: readonly string[], height: bigint): Promise<bigint[]> {
    return this.#inBatches(addresses, COUNTS_PER_BATCH, (address) => transactionCountCall(address, height));
  }

  async #inBatches<K, T>(keys: readonly K[], size: number, toCall: (key: K) => RpcCall<T>): Promise<T[]> {
    const results: T[] = [];
    for (let start = 0; start < keys.length; start += size)
      results.push(...(await this.#client.batch(keys.slice(start, start + size).map(toCall))));
    return results;
  }
}

function headerCall(tag: HeaderTag): RpcCall<EvmHeader | null> {
  return { method: 'eth_getBlockByNumber', params: [toTag(tag), false], result: HeaderSchema.nullable() };
}

function blockCall(height: bigint): RpcCall<EvmBlock | null> {
  return { method: 'eth_getBlockByNumber', params: [toTag(height), true], result: BlockSchema.nullable() };
}

function blockSizeCall(hash: string): RpcCall<bigint | null> {
  return { method: 'eth_getBlockTransactionCountByHash', params: [hash], result: TransactionCountSchema.nullable() };
}

function receiptCall(transactionHash: string): RpcCall<EvmReceipt | null> {
  return { method: 'eth_getTransactionReceipt', params: [transactionHash], result: ReceiptSchema.nullable() };
}

function balanceCall(address: string, height: bigint): RpcCall<bigint> {
  return { method: 'eth_getBalance', params: [address, toTag(height)], result: BalanceSchema };
}

function transactionCountCall(address: string, height: bigint): RpcCall<bigint> {
  return { method: 'eth_getTransactionCount', params: [address, toTag(height)], result: TransactionCountSchema };
}

function toTag(tag: HeaderTag): string {
  return typeof tag === 'bigint' ? `0x${tag.toString(16)}` : tag;
}

function present<T>(block: T | null, tag: HeaderTag | string): T {
  if (block === null) throw new ChainError('missing_block', `the node does not know block ${tag}`);
  return block;
}

function atHeight<T extends EvmHeader>(block: T, height: bigint): T {
  if (block.number !== height) throw new ChainError('invalid_answer', `block ${block.number} instead of ${height}`);
  return block;
}
