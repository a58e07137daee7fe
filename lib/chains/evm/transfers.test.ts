import { expect, test } from 'vitest';
import { z } from 'zod';
import fixture from './fixtures/block-with-every-kind.json';
import { BlockSchema, ReceiptSchema } from './schemas';
import { outgoingTransfers, relevantTransactions, successfulTransfers } from './transfers';

/** A real node's block: payments, a reverted one, a payment through a contract, a token event, value 0, a creation. */
const block = BlockSchema.parse(fixture.block);
const receipts = z.array(ReceiptSchema).parse(fixture.receipts);
const { hashes, watched, watchedReverting } = fixture;
const isWatched = (address: string) => address === watched || address === watchedReverting;
const wanted = { coin: 'ETH', isWatched } as const;

function receiptsOf(transactions: { hash: string }[]) {
  return transactions.flatMap(({ hash }) => receipts.filter((receipt) => receipt.transactionHash === hash));
}

test('only top-level transactions with value to a watched address are looked at', () => {
  const paying = relevantTransactions(block, isWatched).map((transaction) => transaction.hash);
  expect(paying.toSorted()).toEqual([hashes.paid, hashes.reverted, hashes.second].toSorted());
});

test('[A1] a reverted transaction with value is no transfer; [A2] [A5] neither is contract or token money', () => {
  const paying = relevantTransactions(block, isWatched);
  const transfers = successfulTransfers(paying, receiptsOf(paying), wanted);
  expect(transfers.map(({ txHash, amountUnits }) => [txHash, amountUnits]).toSorted()).toEqual(
    [
      [hashes.paid, 10n ** 18n],
      [hashes.second, 1n],
    ].toSorted(),
  );
  expect(transfers.every((transfer) => transfer.to === watched && transfer.key === transfer.txHash)).toBe(true);
});

test('a transaction from an address to itself moves nothing', () => {
  const own = { ...block, transactions: block.transactions.map((transaction) => ({ ...transaction, from: watched })) };
  const receiptsOfOwn = own.transactions.map((transaction) => ({
    transactionHash: transaction.hash,
    blockHash: transaction.blockHash,
    status: '0x1' as const,
    gasUsed: 21_000n,
    effectiveGasPrice: 3n,
  }));
  const toItself = { coin: 'ETH', isWatched: (address: string) => address === watched } as const;
  expect(successfulTransfers(own.transactions, receiptsOfOwn, toItself)).toEqual([]);
  const left = outgoingTransfers(own.transactions, receiptsOfOwn, toItself);
  expect(left).toHaveLength(own.transactions.length);
  for (const transfer of left.filter(({ to }) => to === watched))
    expect(transfer).toMatchObject({ amountUnits: 0n, feeUnits: 63_000n });
});

test('what leaves a watched address is told with its fee, and with the fee alone when it failed', () => {
  const [transaction] = block.transactions;
  if (!transaction) throw new Error('The fixture has no transaction.');
  const sent = { ...transaction, from: watched, to: hashes.paid.slice(0, 42), value: 7n };
  const receipt = { transactionHash: sent.hash, blockHash: sent.blockHash, gasUsed: 21_000n, effectiveGasPrice: 2n };
  expect(outgoingTransfers([sent], [{ ...receipt, status: '0x1' }], wanted)).toEqual([
    { txHash: sent.hash, coin: 'ETH', from: watched, to: sent.to, amountUnits: 7n, feeUnits: 42_000n },
  ]);
  expect(outgoingTransfers([sent], [{ ...receipt, status: '0x0' }], wanted)[0]?.amountUnits).toBe(0n);
  const { gasUsed: _, ...silent } = receipt;
  expect(() => outgoingTransfers([sent], [{ ...silent, status: '0x1' }], wanted)).toThrow('does not tell its fee');
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
  const paying = relevantTransactions({ ...block, transactions }, (address) => address === watched);
  expect(successfulTransfers(paying, receiptsOf(paying), wanted)[0]?.amountUnits).toBe(value);
});

test('[B6] a transaction of another block, a double one and a foreign receipt are faults, not payments', () => {
  const other = `0x${'ab'.repeat(32)}`;
  const foreign = block.transactions.map((transaction) => ({ ...transaction, blockHash: other }));
  expect(() => relevantTransactions({ ...block, transactions: foreign }, isWatched)).toThrow('does not belong');
  const twice = [...block.transactions, ...block.transactions.slice(0, 1)];
  expect(() => relevantTransactions({ ...block, transactions: twice }, isWatched)).toThrow('twice');
  const paying = relevantTransactions(block, isWatched);
  const moved = receiptsOf(paying).map((receipt) => ({ ...receipt, blockHash: other }));
  expect(() => successfulTransfers(paying, moved, wanted)).toThrow('another block');
  expect(() => successfulTransfers(paying, [], wanted)).toThrow('another block');
});

test.each([['-0x1'], ['1'], ['0x'], ['1.5'], [1], [null], [`0x1${'0'.repeat(64)}`]])(
  '[B6] the value %j is refused',
  (value) => {
    const transactions = fixture.block.transactions.map((transaction) => ({ ...transaction, value }));
    expect(BlockSchema.safeParse({ ...fixture.block, transactions }).success).toBe(false);
  },
);
