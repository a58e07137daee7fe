import { ChainError, type Transfer } from '../types';
import type { EvmBlock, EvmReceipt, EvmTransaction } from './schemas';

/** A transaction that pays a watched address, if it succeeded. */
export type PayingTransaction = EvmTransaction & { to: string };

/**
 * Transactions of a block whose own value goes to a watched address. What a contract passes on and what token logs claim
 * is not the transaction's value, so it is not seen here. A transaction to oneself moves nothing.
 * @throws ChainError when a transaction names another block, or is listed twice
 */
export function payingTransactions(block: EvmBlock, isWatched: (address: string) => boolean): PayingTransaction[] {
  const hashes = new Set(block.transactions.map((transaction) => transaction.hash));
  if (hashes.size !== block.transactions.length)
    throw new ChainError('invalid_answer', `block ${block.number} lists a transaction twice`);
  return block.transactions.filter((transaction): transaction is PayingTransaction => {
    if (transaction.blockHash !== block.hash)
      throw new ChainError('invalid_answer', `${transaction.hash} does not belong to block ${block.number}`);
    const { to, from, value } = transaction;
    return value > 0n && typeof to === 'string' && to !== from && isWatched(to);
  });
}

/**
 * Transfers of the paying transactions that succeeded: a reverted transaction carries its value on its face and moves none.
 * @param receipts one per transaction, in the same order
 * @throws ChainError when a receipt is of another transaction or block: the chain changed between two answers
 */
export function successfulTransfers(transactions: PayingTransaction[], receipts: EvmReceipt[]): Transfer[] {
  return transactions.flatMap((transaction, index): Transfer[] => {
    const receipt = receipts[index];
    if (receipt?.transactionHash !== transaction.hash || receipt.blockHash !== transaction.blockHash)
      throw new ChainError('invalid_answer', `the receipt of ${transaction.hash} is of another block`);
    if (receipt.status !== '0x1') return [];
    const { hash, from, to, value } = transaction;
    return [{ txHash: hash, txIndex: 0, from, to, amountUnits: value }];
  });
}
