import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { answering, startScriptedNode } from '@/testing/scripted-node';
import { EvmReader } from '../evm/reader';
import { ChainError, type ChainReader, type OutgoingTransfer, type Transfer } from '../types';
import { openQuorum } from './quorum-reader';

const OURS = '0xours';
const startsAt = new Date('2026-11-28T12:00:00Z');
const all = () => true;

/** A world in which block 4 pays us, with one more payment that waits. */
function makeChain(seed: string, amountUnits = 7n): MemoryChain {
  const chain = new MemoryChain({ seed, startsAt, height: 3 });
  chain.send({ to: OURS, amountUnits });
  chain.send({ to: OURS, amountUnits: 8n });
  chain.mine(2);
  chain.send({ to: OURS, amountUnits: 9n });
  return chain;
}

const truth = makeChain('truth');
const honest = () => new MemoryNode({ chain: truth, finalityDepth: 2 });
/** Has a chain of its own, with more money and a head that is far higher. */
function liar(extraBlocks = 50): MemoryNode {
  const chain = makeChain('lie', 1_000_000n);
  chain.mine(extraBlocks);
  chain.send({ to: OURS, amountUnits: 1_000_000n });
  return new MemoryNode({ chain, finalityDepth: 0 });
}
function dead(): MemoryNode {
  const node = honest();
  node.break({ kind: 'error', reason: 'unreachable', calls: Number.POSITIVE_INFINITY });
  return node;
}
function behind(blocks: number): MemoryNode {
  const node = honest();
  node.break({ kind: 'lag', blocks, calls: Number.POSITIVE_INFINITY });
  return node;
}
/** An honest node that answers one call otherwise. */
const otherwise = (change: Partial<ChainReader>): ChainReader => Object.assign(honest(), change);

/** Every question of the port, with its answer or the reason of its error. */
async function answersOf(reader: ChainReader) {
  const calls = {
    genesis: reader.genesisHash(),
    head: reader.head(),
    block: reader.block(4n),
    scan: reader.scan(3n, 5n, all),
    mempool: reader.mempool(all),
    balances: reader.balances('ETH', [OURS], 4n),
  };
  const settled = await Promise.all(
    Object.entries(calls).map(async ([name, call]) => [
      name,
      await call.catch((error: unknown) => (error instanceof ChainError ? error.reason : error)),
    ]),
  );
  return Object.fromEntries(settled);
}
const eachAnswer = (answer: string) =>
  Object.fromEntries(['genesis', 'head', 'block', 'scan', 'mempool', 'balances'].map((name) => [name, answer]));

describe('of three nodes of which two must agree', () => {
  test('one that lies changes no answer and is never credited, wherever it stands', async () => {
    const expected = await answersOf(honest());
    expect(expected.balances.units.get(OURS)).toBe(15n);
    for (const place of [0, 1, 2])
      for (const lie of [liar(), liar(0)])
        expect(await answersOf(openQuorum([honest(), honest()].toSpliced(place, 0, lie), 2))).toEqual(expected);
  });

  test('one that is dead is passed over, and two that are dead are a fault of the node', async () => {
    const expected = await answersOf(honest());
    expect(await answersOf(openQuorum([dead(), honest(), honest()], 2))).toEqual(expected);
    expect(await answersOf(openQuorum([dead(), honest(), dead()], 2))).toEqual(eachAnswer('unreachable'));
  });

  test('one that lies beside one that is dead is a disagreement, and no progress', async () => {
    expect(await answersOf(openQuorum([dead(), honest(), liar()], 2))).toEqual({
      ...eachAnswer('disagreement'),
      mempool: [],
    });
  });

  test('the head is the highest block that two have, also when the third lies about the top one', async () => {
    const heightOf = async (...nodes: ChainReader[]) => (await openQuorum(nodes, 2).head()).height;
    expect(await heightOf(honest(), behind(1), behind(2))).toBe(4n);
    expect(await heightOf(behind(1), honest(), liar())).toBe(4n);
    expect(await heightOf(behind(1), honest(), liar(0))).toBe(4n);
  });
});

test('two that must agree and do not are a disagreement in every answer, and nothing waits that one alone lists', async () => {
  const answers = await answersOf(openQuorum([honest(), liar()], 2));
  expect(answers).toEqual({ ...eachAnswer('disagreement'), mempool: [] });
});

test('for every set of nodes: what is answered is what enough of them say, and else nothing is', async () => {
  const expected = await answersOf(honest());
  const lie = await answersOf(liar());
  const kinds = fc.array(fc.constantFrom('honest', 'liar', 'dead'), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(kinds, fc.nat(), async (nodes, seed) => {
      const quorum = 1 + Math.floor(nodes.length / 2) + (seed % 2 ? 0 : Math.ceil(nodes.length / 2) - 1);
      const made = nodes.map((kind) => ({ honest, liar, dead })[kind]());
      const { mempool, ...answers } = await answersOf(openQuorum(made, quorum));
      const count = (kind: string) => nodes.filter((node) => node === kind).length;
      const { mempool: waiting, ...known } =
        count('honest') >= quorum ? expected : count('liar') >= quorum ? lie : eachAnswer('none');
      for (const [name, answer] of Object.entries(answers))
        if (known[name] === 'none') expect(['disagreement', 'unreachable']).toContain(answer);
        else expect(answer).toEqual(known[name]);
      expect(waiting === 'none' ? [[], 'unreachable'] : [waiting]).toContainEqual(mempool);
    }),
    { numRuns: 60, seed: 20261128 },
  );
});

test('the order in which nodes list transfers, outgoing ones and outpoints does not matter', async () => {
  const listing = (change: (transfers: Transfer[]) => Transfer[], spends: string[]) =>
    otherwise({
      scan: async (from, to, isWatched) =>
        (await honest().scan(from, to, isWatched)).map((block) => ({
          ...block,
          transfers: change(block.transfers.map((transfer) => ({ ...transfer, spends }))),
          outgoing: change(block.transfers).map(({ txHash }) => outgoingOf(txHash)),
        })),
    });
  const straight = listing((transfers) => transfers, ['a', 'b']);
  const turned = listing((transfers) => transfers.toReversed(), ['b', 'a']);
  const blocks = await openQuorum([straight, turned], 2).scan(3n, 5n, all);
  expect(blocks.flatMap(({ transfers }) => transfers.map(({ amountUnits }) => amountUnits)).sort()).toEqual([7n, 8n]);
  expect(blocks.flatMap(({ outgoing }) => outgoing)).toHaveLength(2);
});

test('balances of another height than the others are no vote for theirs', async () => {
  const later = otherwise({ balances: async (coin, addresses) => honest().balances(coin, addresses, 5n) });
  await expect(openQuorum([honest(), later], 2).balances('ETH', [OURS], 4n)).rejects.toMatchObject({
    reason: 'disagreement',
  });
  expect(await openQuorum([later, honest(), honest()], 2).balances('ETH', [OURS], 4n)).toMatchObject({ height: 4n });
});

test('of two nodes with one quorum each mempool is believed, but not two transfers that spend the same', async () => {
  const waiting = (key: string, spends: string[]): Transfer => ({ ...transferOf(key), spends });
  const node = (...transfers: Transfer[]) => otherwise({ mempool: async () => transfers });
  const open = (...nodes: ChainReader[]) => openQuorum(nodes, 1).mempool(all);
  const keys = async (list: Promise<Transfer[]>) => (await list).map(({ key }) => key);
  expect(await keys(open(node(waiting('a', ['1'])), node(waiting('b', ['2']))))).toEqual(['a', 'b']);
  expect(await keys(open(node(waiting('a', ['1', '2'])), node(waiting('b', ['2', '3']))))).toEqual(['a']);
  expect(await keys(open(dead(), node(waiting('b', ['2']))))).toEqual(['b']);
  const siblings = ['t:0', 't:1'].map((key) => ({ ...waiting(key, ['1']), txHash: 't' }));
  expect(await keys(open(node(...siblings), node()))).toEqual(['t:0', 't:1']);
});

test('a quorum that the nodes cannot reach is refused, and a fault that is no node’s is not hidden', async () => {
  expect(() => openQuorum([honest()], 2)).toThrow('quorum of 2');
  const broken = otherwise({ genesisHash: () => Promise.reject(new TypeError('a bug')) });
  await expect(openQuorum([broken, honest(), honest()], 2).genesisHash()).rejects.toThrow('a bug');
});

test('over HTTP: of three real readers the one whose node lies about a hash is outvoted', async () => {
  const script = (hash: string) =>
    answering(({ method }) => (method === 'eth_chainId' ? '0x1' : headerOf(`0x${hash.repeat(64)}`)));
  const nodes = await Promise.all(['a', 'b', 'b'].map((hash) => startScriptedNode(script(hash))));
  try {
    const readers = nodes.map(({ url }) => new EvmReader({ chain: 'ethereum', coin: 'ETH', url, chainId: 1 }));
    expect(await openQuorum(readers, 2).genesisHash()).toBe(`0x${'b'.repeat(64)}`);
    await expect(openQuorum(readers.slice(0, 2), 2).genesisHash()).rejects.toMatchObject({ reason: 'disagreement' });
  } finally {
    for (const node of nodes) await node.stop();
  }
});

function transferOf(key: string): Transfer {
  return {
    key,
    txHash: key,
    coin: 'ETH',
    kind: 'payment',
    from: null,
    to: OURS,
    amountUnits: 1n,
    maturity: 0,
    spends: [],
  };
}

function outgoingOf(txHash: string): OutgoingTransfer {
  return { txHash, coin: 'ETH', from: OURS, to: null, amountUnits: 0n, feeUnits: 1n };
}

function headerOf(hash: string) {
  return { number: '0x0', hash, parentHash: `0x${'0'.repeat(64)}`, timestamp: '0x1' };
}
