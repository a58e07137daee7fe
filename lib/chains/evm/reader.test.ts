import { afterEach, expect, test } from 'vitest';
import {
  answering,
  type ScriptedCall,
  ScriptedError,
  type ScriptedNode,
  startScriptedNode,
} from '@/testing/scripted-node';
import { EvmReader } from './reader';

let node: ScriptedNode | undefined;
afterEach(() => node?.stop());

const hash = (name: string, height: number) => `0x${Buffer.from(`${name}${height}`).toString('hex').padStart(64, '0')}`;

const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';

/** A well-formed empty block of a chain called `name`. */
function emptyBlock(height: number, name = 'a') {
  return {
    number: `0x${height.toString(16)}`,
    hash: hash(name, height),
    parentHash: hash(name, height - 1),
    timestamp: '0x6afcd980',
    gasUsed: '0x0',
    transactionsRoot: EMPTY_ROOT,
    transactions: [],
  };
}

type Answers = (call: ScriptedCall) => unknown;

/** A node on chain 1 with head 10, except for what `answers` says otherwise. */
async function readerOn(answers: Answers) {
  node = await startScriptedNode(
    answering((call) => {
      const answer = answers(call);
      if (answer !== undefined) return answer;
      if (call.method === 'eth_chainId') return '0x1';
      const tag = String(call.params[0]);
      return emptyBlock(tag.startsWith('0x') ? Number(tag) : 10);
    }),
  );
  return new EvmReader({ chain: 'ethereum', coin: 'ETH', url: node.url, chainId: 1, timeoutMs: 500 });
}

const nobody = () => false;
const BLOCK_SIZE = 'eth_getBlockTransactionCountByHash';

test('the head comes with its hash and the newest final block', async () => {
  const reader = await readerOn((call) => (call.params[0] === 'finalized' ? emptyBlock(4) : undefined));
  expect(await reader.head()).toEqual({
    height: 10n,
    hash: hash('a', 10),
    time: new Date(0x6afcd980 * 1000),
    finalizedHeight: 4n,
  });
});

test.each([
  ['does not know the tag', () => Promise.reject(new ScriptedError(-32602, 'invalid argument'))],
  ['has no final block yet', () => null],
])('a node that %s still has a head', async (_, answer) => {
  const reader = await readerOn((call) => (call.params[0] === 'finalized' ? answer() : undefined));
  expect(await reader.head()).toMatchObject({ height: 10n, finalizedHeight: null });
});

test('blocks come in order, whatever the number of requests', async () => {
  const reader = await readerOn(() => undefined);
  const blocks = await reader.scan(3n, 14n, nobody);
  expect(blocks.map((block) => block.height)).toEqual(Array.from({ length: 12 }, (_, index) => BigInt(index + 3)));
  expect(blocks[0]).toEqual({
    height: 3n,
    hash: hash('a', 3),
    parentHash: hash('a', 2),
    time: new Date(0x6afcd980 * 1000),
    chainTime: new Date(0x6afcd980 * 1000),
    transfers: [],
    outgoing: [],
  });
});

test('[A4] [B5] another chain id is refused before anything else is believed, and asked again after a fault', async () => {
  let chainId = '0x38';
  const reader = await readerOn((call) => (call.method === 'eth_chainId' ? chainId : undefined));
  await expect(reader.head()).rejects.toMatchObject({ reason: 'wrong_chain' });
  expect(node?.calls.map((call) => call.method)).toEqual(['eth_chainId']);
  chainId = '0x1';
  await reader.head();
  await reader.head();
  expect(node?.calls.filter((call) => call.method === 'eth_chainId')).toHaveLength(2);
});

test('[B5] a block that the node does not have is missing, never empty', async () => {
  const reader = await readerOn((call) => (call.params[0] === '0x5' ? null : undefined));
  await expect(reader.scan(4n, 6n, nobody)).rejects.toMatchObject({ reason: 'missing_block' });
  await expect(reader.block(5n)).rejects.toMatchObject({ reason: 'missing_block' });
});

test('[B4] [B6] another height than asked, or blocks that do not follow each other, are invalid', async () => {
  const shifted = await readerOn((call) => (call.params[0] === '0x5' ? emptyBlock(6) : undefined));
  await expect(shifted.scan(4n, 6n, nobody)).rejects.toMatchObject({ reason: 'invalid_answer' });
  await node?.stop();
  const torn = await readerOn((call) => (call.params[0] === '0x5' ? emptyBlock(5, 'b') : undefined));
  await expect(torn.scan(4n, 6n, nobody)).rejects.toMatchObject({ reason: 'invalid_answer' });
});

test('[B6] a payment whose receipt is not there is no payment yet', async () => {
  const watched = `0x${'11'.repeat(20)}`;
  const payment = {
    hash: hash('t', 1),
    blockHash: hash('a', 5),
    from: `0x${'22'.repeat(20)}`,
    to: watched,
    value: '0x64',
    gas: '0x5208',
    transactionIndex: '0x0',
  };
  let receipt: unknown = null;
  const reader = await readerOn((call) => {
    if (call.method === 'eth_getTransactionReceipt') return receipt;
    if (call.method === BLOCK_SIZE) return '0x1';
    return call.params[0] === '0x5'
      ? { ...emptyBlock(5), transactionsRoot: hash('r', 5), transactions: [payment] }
      : undefined;
  });
  const scan = () => reader.scan(5n, 5n, (address) => address === watched);
  await expect(scan()).rejects.toMatchObject({ reason: 'missing_block' });
  receipt = { transactionHash: hash('t', 2), blockHash: hash('a', 5), status: '0x1' };
  await expect(scan()).rejects.toMatchObject({ reason: 'invalid_answer' });
  receipt = { transactionHash: payment.hash, blockHash: hash('a', 5), status: '0x1' };
  expect((await scan())[0]?.transfers).toEqual([
    {
      key: payment.hash,
      txHash: payment.hash,
      coin: 'ETH',
      kind: 'payment',
      from: payment.from,
      to: watched,
      amountUnits: 100n,
      maturity: 0,
      spends: [],
    },
  ]);
});

test.each<[string, object]>([
  ['all its transactions, though it used gas', { transactions: [], transactionsRoot: EMPTY_ROOT }],
  ['all its transactions, though their trie holds some', { transactions: [], gasUsed: '0x0' }],
  ['the last of them, which used more gas than the others may', { gasUsed: '0xf618' }],
  ['the last of them, where limits are far above what was used', { transactions: [transaction(0, '0x186a0')] }],
  ['one in the middle', { transactions: [0, 2].map((index) => transaction(index)) }],
])('[B5] a block without %s is a fault of the node, never progress', async (_, change) => {
  const whole = {
    ...emptyBlock(5),
    transactionsRoot: hash('r', 5),
    gasUsed: '0xa410',
    transactions: [0, 1].map((index) => transaction(index)),
  };
  let block: object = whole;
  const reader = await readerOn(({ method, params }) => {
    if (method === BLOCK_SIZE) return '0x2';
    return params[0] === '0x5' ? block : undefined;
  });
  expect(await reader.scan(5n, 5n, nobody)).toHaveLength(1);
  block = { ...whole, ...change };
  await expect(reader.scan(4n, 6n, nobody)).rejects.toMatchObject({
    reason: 'invalid_answer',
    message: 'the transactions of block 5 are cut off',
  });
});

test('how many transactions a block holds is asked by its hash, once, and not of one that holds none', async () => {
  const filled = {
    ...emptyBlock(5),
    transactionsRoot: hash('r', 5),
    gasUsed: '0x5208',
    transactions: [transaction(0)],
  };
  let size: string | null = '0x1';
  const reader = await readerOn(({ method, params }) => {
    if (method === BLOCK_SIZE) return size;
    return params[0] === '0x5' ? filled : undefined;
  });
  expect(await reader.scan(4n, 6n, nobody)).toHaveLength(3);
  expect(node?.calls.filter(({ method }) => method === BLOCK_SIZE).map(({ params }) => params)).toEqual([
    [hash('a', 5)],
  ]);
  size = null;
  await expect(reader.scan(4n, 6n, nobody)).rejects.toMatchObject({ reason: 'missing_block' });
});

/** A transfer of block 5 between strangers. */
function transaction(index: number, gas = '0x5208') {
  const [from, to] = [`0x${'22'.repeat(20)}`, `0x${'33'.repeat(20)}`];
  return {
    ...{ hash: hash('t', index), blockHash: hash('a', 5), from, to, value: '0x64' },
    ...{ gas, transactionIndex: `0x${index.toString(16)}` },
  };
}
