import type { Coin } from '@/lib/shared/coins';
import { ChainError, type IsWatched, type OutgoingTransfer, type Transfer } from '../types';
import type { EvmBlock, EvmReceipt, EvmTransaction } from './schemas';

interface Wanted {
  coin: Coin;
  isWatched: IsWatched;
}

/** Its own value goes to a watched address that did not send it. What a contract passes on is not its value. */
function pays({ to, from, value }: EvmTransaction, isWatched: IsWatched): boolean {
  return value > 0n && typeof to === 'string' && to !== from && isWatched(to);
}

/**
 * Transactions of a block that pay a watched address, or that a watched address sent.
 * @throws ChainError when a transaction names another block, or is listed twice
 */
export function relevantTransactions(block: EvmBlock, isWatched: IsWatched): EvmTransaction[] {
  const hashes = new Set(block.transactions.map((transaction) => transaction.hash));
  if (hashes.size !== block.transactions.length)
    throw new ChainError('invalid_answer', `block ${block.number} lists a transaction twice`);
  return block.transactions.filter((transaction) => {
    if (transaction.blockHash !== block.hash)
      throw new ChainError('invalid_answer', `${transaction.hash} does not belong to block ${block.number}`);
    return pays(transaction, isWatched) || isWatched(transaction.from);
  });
}

/**
 * Transfers of the paying transactions that succeeded: a reverted transaction carries its value on its face and moves none.
 * @param receipts one per transaction, in the same order
 * @throws ChainError when a receipt is of another transaction or block: the chain changed between two answers
 */
export function successfulTransfers(
  transactions: readonly EvmTransaction[],
  receipts: readonly EvmReceipt[],
  { coin, isWatched }: Wanted,
): Transfer[] {
  return transactions.flatMap((transaction, index): Transfer[] => {
    const { status } = receiptOf(transaction, receipts[index]);
    const { hash, from, to, value } = transaction;
    if (status !== '0x1' || typeof to !== 'string' || !pays(transaction, isWatched)) return [];
    return [{ key: hash, txHash: hash, coin, kind: 'payment', from, to, amountUnits: value, maturity: 0, spends: [] }];
  });
}

/**
 * What the transactions took from watched addresses: value and fee, the fee alone when they failed.
 * @param receipts one per transaction, in the same order
 * @throws ChainError as `successfulTransfers`, and when a receipt does not tell the fee
 */
export function outgoingTransfers(
  transactions: readonly EvmTransaction[],
  receipts: readonly EvmReceipt[],
  { coin, isWatched }: Wanted,
): OutgoingTransfer[] {
  return transactions.flatMap((transaction, index): OutgoingTransfer[] => {
    const { hash, from, to, value } = transaction;
    if (!isWatched(from)) return [];
    const { status, gasUsed, effectiveGasPrice } = receiptOf(transaction, receipts[index]);
    if (gasUsed === undefined || effectiveGasPrice === undefined)
      throw new ChainError('invalid_answer', `the receipt of ${hash} does not tell its fee`);
    const amountUnits = status === '0x1' && to !== from ? value : 0n;
    return [{ txHash: hash, coin, from, to: to ?? null, amountUnits, feeUnits: gasUsed * effectiveGasPrice }];
  });
}

function receiptOf(transaction: EvmTransaction, receipt: EvmReceipt | undefined): EvmReceipt {
  if (receipt?.transactionHash !== transaction.hash || receipt.blockHash !== transaction.blockHash)
    throw new ChainError('invalid_answer', `the receipt of ${transaction.hash} is of another block`);
  return receipt;
}
