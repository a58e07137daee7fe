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

/** Root of a trie that holds nothing: keccak256(rlp('')), yellow paper, 4.4.3. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/**
 * Refuses a block whose list of transactions is cut off, by what its header says of them: a list is empty when the trie of
 * transactions is, its transactions are numbered from 0 on, and the gas that the block used is no more than theirs together
 * may use. The root itself is not computed: that would take every byte of every transaction.
 * @throws ChainError
 */
function requireWhole({ number, transactions, transactionsRoot, gasUsed }: EvmBlock): void {
  const gas = transactions.reduce((sum, transaction) => sum + transaction.gas, 0n);
  const isWhole =
    (transactions.length === 0) === (transactionsRoot === EMPTY_ROOT) &&
    transactions.every(({ transactionIndex }, index) => transactionIndex === BigInt(index)) &&
    gas >= gasUsed;
  if (!isWhole) throw cutOff(number);
}

/**
 * Refuses a block that holds another number of transactions than it lists, by what its node says of its hash. Gas cannot tell
 * so exactly: limits may be far above what was used, and by EIP-7778 a header's gas is no longer what the receipts add up to.
 * @throws ChainError
 */
export function requireSize({ number, transactions }: EvmBlock, size: bigint | undefined): void {
  if (size !== BigInt(transactions.length)) throw cutOff(number);
}

const cutOff = (height: bigint) => new ChainError('invalid_answer', `the transactions of block ${height} are cut off`);

/**
 * Transactions of a block that pay a watched address, or that a watched address sent.
 * @throws ChainError when the list is cut off, names a transaction twice, or one of another block
 */
export function relevantTransactions(block: EvmBlock, isWatched: IsWatched): EvmTransaction[] {
  const hashes = new Set(block.transactions.map((transaction) => transaction.hash));
  if (hashes.size !== block.transactions.length)
    throw new ChainError('invalid_answer', `block ${block.number} lists a transaction twice`);
  requireWhole(block);
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
