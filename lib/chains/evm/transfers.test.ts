import { expect, test } from 'vitest';
import { z } from 'zod';
import fixture from './fixtures/block-with-every-kind.json';
import { BlockSchema, ReceiptSchema } from './schemas';
import { payingTransactions, successfulTransfers } from './transfers';

/** A real node's block: payments, a reverted one, a payment through a contract, a token event, value 0, a creation. */
const block = BlockSchema.parse(fixture.block);
const receipts = z.array(ReceiptSchema).parse(fixture.receipts);
const { hashes, watched, watchedReverting } = fixture;
const isWatched = (address: string) => address === watched || address === watchedReverting;

function receiptsOf(transactions: { hash: string }[]) {
  return transactions.flatMap(({ hash }) => receipts.filter((receipt) => receipt.transactionHash === hash));
}

test('only top-level transactions with value to a watched address are looked at', () => {
  const paying = payingTransactions(block, isWatched).map((transaction) => transaction.hash);
  expect(paying.toSorted()).toEqual([hashes.paid, hashes.reverted, hashes.second].toSorted());
});

test('[A1] a reverted transaction with value is no transfer; [A2] [A5] neither is contract or token money', () => {
  const paying = payingTransactions(block, isWatched);
  const transfers = successfulTransfers(paying, receiptsOf(paying));
  expect(transfers.map(({ txHash, amountUnits }) => [txHash, amountUnits]).toSorted()).toEqual(
    [
      [hashes.paid, 10n ** 18n],
      [hashes.second, 1n],
    ].toSorted(),
  );
  expect(transfers.every((transfer) => transfer.to === watched && transfer.txIndex === 0)).toBe(true);
});

test('a transaction from an address to itself moves nothing', () => {
  const own = { ...block, transactions: block.transactions.map((transaction) => ({ ...transaction, from: watched })) };
  expect(payingTransactions(own, (address) => address === watched)).toEqual([]);
});

test('[A18] the greatest value survives to the unit', () => {
  const value = 2n ** 256n - 1n;
  const transactions = BlockSchema.parse({
    ...fixture.block,
    transactions: fixture.block.transactions.map((transaction) => ({
      ...transaction,
      value: `0x${value.toString(16)}`,
    })),
  }).transactions;
  const paying = payingTransactions({ ...block, transactions }, (address) => address === watched);
  expect(successfulTransfers(paying, receiptsOf(paying))[0]?.amountUnits).toBe(value);
});

test('[B6] a transaction of another block, a double one and a foreign receipt are faults, not payments', () => {
  const other = `0x${'ab'.repeat(32)}`;
  const foreign = block.transactions.map((transaction) => ({ ...transaction, blockHash: other }));
  expect(() => payingTransactions({ ...block, transactions: foreign }, isWatched)).toThrow('does not belong');
  const twice = [...block.transactions, ...block.transactions.slice(0, 1)];
  expect(() => payingTransactions({ ...block, transactions: twice }, isWatched)).toThrow('twice');
  const paying = payingTransactions(block, isWatched);
  const moved = receiptsOf(paying).map((receipt) => ({ ...receipt, blockHash: other }));
  expect(() => successfulTransfers(paying, moved)).toThrow('another block');
  expect(() => successfulTransfers(paying, [])).toThrow('another block');
});

test.each([['-0x1'], ['1'], ['0x'], ['1.5'], [1], [null], [`0x1${'0'.repeat(64)}`]])(
  '[B6] the value %j is refused',
  (value) => {
    const transactions = fixture.block.transactions.map((transaction) => ({ ...transaction, value }));
    expect(BlockSchema.safeParse({ ...fixture.block, transactions }).success).toBe(false);
  },
);
