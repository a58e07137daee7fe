import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Balances, ChainReader } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { systemClock } from '@/lib/shared/time';
import { blockHash, makeBlocks, paymentOf } from '@/testing/made-chain';
import { type Payable, type RecordedChain, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { reconcile } from './reconcile';

const DUE = 10n ** 16n;

let database: TestDatabase;
let db: Database;
let chain: RecordedChain;
let invoice: Payable;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

const pay = (name: string, amountUnits: bigint) => ({ ...paymentOf(name, invoice.address, amountUnits), key: name });

/** Read up to 105, with money in 101 and in 105; two confirmations, so that 104 is compared. */
beforeEach(async () => {
  chain = await startRecordedChain(db);
  [invoice] = chain.invoices;
  await chain.record(101, 105, { transfers: { 101: [pay('early', DUE)], 105: [pay('new', 7n)] } });
});

interface Answer {
  /** The block for whose state balances are answered, whatever is asked. */
  height: bigint;
  /** What the invoice's address holds there. */
  units: bigint;
  /** Branch of the blocks above the compared one. */
  branch?: string;
  /** What happens once, right after the balances were answered. */
  afterBalances?: () => Promise<unknown>;
  /** What happens once, before the compared block is asked for a second time. */
  beforeEnd?: () => Promise<unknown>;
}

/** A node that keeps no older state than that of its head. */
function readerOf({ height, units, branch = 'a', afterBalances, beforeEnd }: Answer): ChainReader {
  const once = (happening?: () => Promise<unknown>) => {
    let isOver = false;
    return async () => {
      if (!isOver) await happening?.();
      isOver = true;
    };
  };
  const [then, finallyDo] = [once(afterBalances), once(beforeEnd)];
  let looks = 0;
  const refuse = () => Promise.reject(new Error('not asked for'));
  return {
    chain: 'ethereum',
    genesisHash: async () => blockHash('a', 0),
    head: refuse,
    scan: refuse,
    mempool: refuse,
    usedAddresses: refuse,
    async block(asked) {
      if (asked === 104n) looks += 1;
      if (looks === 2) await finallyDo();
      const [block] = makeBlocks(Number(asked), Number(asked), { branch: asked > 104n ? branch : 'a' });
      return block ?? refuse();
    },
    async balances(_coin, addresses): Promise<Balances> {
      const answer = new Map(addresses.map((address) => [address, address === invoice.address ? units : 0n]));
      await then();
      return { height, units: answer };
    },
  };
}

const run = (answer: Answer) =>
  reconcile(db, 'ETH', readerOf(answer), {
    clock: systemClock,
    signal: new AbortController().signal,
    addresses: 'all',
    closedDays: null,
    withUnpriced: true,
  });

test('balances of the block that was asked for are compared with the records up to it', async () => {
  expect(await run({ height: 104n, units: DUE })).toMatchObject({
    height: 104n,
    differenceCount: 0,
    onChainUnits: DUE,
  });
  expect(await run({ height: 104n, units: DUE + 7n })).toMatchObject({ differenceCount: 1, differenceUnits: 7n });
});

test('balances of a later block are compared with the records up to that one', async () => {
  const agreeing = { height: 105n, units: DUE + 7n };
  expect(await run(agreeing)).toMatchObject({ notCompared: null, differenceCount: 0, onChainUnits: DUE + 7n });
  expect(await run({ ...agreeing, units: DUE })).toMatchObject({ differenceCount: 1, differenceUnits: 7n });
});

test('balances of an earlier block are refused, and nothing is learnt of them', async () => {
  const report = await run({ height: 103n, units: DUE });
  expect(report).toMatchObject({ height: null, addressCount: 0, differenceCount: 0 });
  expect(report.notCompared).toContain('balances of block 103 instead of 104');
});

test('balances of a block that was not read yet, or is another one, make no difference', async () => {
  const unread = await run({ height: 106n, units: DUE + 9n });
  expect(unread).toMatchObject({ height: null, differenceCount: 0 });
  const foreign = await run({ height: 105n, units: DUE, branch: 'b' });
  expect(foreign).toMatchObject({ height: null, differenceCount: 0 });
  expect(foreign.notCompared).toMatch(/is not the one that was read/);
});

test('a block that is read while its balances are compared makes no difference either, wherever that happens', async () => {
  const payment = { transfers: { 106: [pay('newest', 2n)] } };
  const read = () => chain.record(106, 106, payment);
  const answer = { height: 106n, units: DUE + 9n };
  expect(await run({ ...answer, beforeEnd: read })).toMatchObject({ differenceCount: 0 });
  await chain.undo(105);
  expect(await run({ ...answer, afterBalances: read })).toMatchObject({
    notCompared: null,
    differenceCount: 0,
    onChainUnits: DUE + 9n,
  });
});

test('a reorg above the compared block while balances are compared makes no difference', async () => {
  const reorg = async () => {
    await chain.undo(104);
    await chain.record(105, 105, { branch: 'b', after: 'a' });
  };
  expect(await run({ height: 105n, units: DUE + 7n, afterBalances: reorg })).toMatchObject({ differenceCount: 0 });
});

test('money that cannot be spent yet is on its way and no difference: unconfirmed, not forgotten by the books', async () => {
  const reward = { ...pay('reward', 5n), kind: 'coinbase' as const, maturity: 100 };
  await chain.record(106, 110, { transfers: { 106: [reward] } });
  const report = await run({ height: 110n, units: DUE + 12n });
  expect(report).toMatchObject({ notCompared: null, differenceCount: 0, inFlightUnits: 5n });
  expect(report.inFlight.map(({ state }) => state)).toEqual(['unconfirmed']);
});
