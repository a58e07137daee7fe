import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Anvil, startAnvil } from '@/testing/anvil';
import {
  answering,
  type ScriptedCall,
  ScriptedError,
  type ScriptedNode,
  startScriptedNode,
} from '@/testing/scripted-node';
import multicall3 from './multicall3.json';
import { EvmReader } from './reader';

const CHAIN_ID = 31337;
const RICH = `0x${'11'.repeat(20)}`;
const POOR = `0x${'22'.repeat(20)}`;

let anvil: Anvil;
const nodes: ScriptedNode[] = [];

beforeAll(async () => {
  anvil = await startAnvil();
  await anvil.rpc('anvil_setCode', [multicall3.address, multicall3.runtimeBytecode]);
  await anvil.rpc('anvil_mine', ['0x2']);
  await anvil.rpc('anvil_setBalance', [RICH, '0x7b']);
  await anvil.rpc('anvil_mine', ['0x2']);
  await anvil.rpc('anvil_setBalance', [RICH, `0x${(2n ** 128n).toString(16)}`]);
  await anvil.rpc('anvil_mine', ['0x1']);
});
afterAll(() => anvil.stop());
afterEach(async () => {
  await Promise.all(nodes.splice(0).map((node) => node.stop()));
});

/** A reader on anvil, except for the calls to which `change` has another answer. */
async function readerOn(change: (call: ScriptedCall) => unknown = () => undefined) {
  const node = await startScriptedNode(
    answering(async (call) => (await change(call)) ?? anvil.rpc(call.method, call.params)),
  );
  nodes.push(node);
  const reader = new EvmReader({ chain: 'ethereum', coin: 'ETH', url: node.url, chainId: CHAIN_ID, timeoutMs: 5_000 });
  return { reader, methods: () => node.calls.map((call) => call.method) };
}

test('balances are those of the height that is asked for, in one call', async () => {
  const { reader, methods } = await readerOn();
  expect(await reader.balances('ETH', [RICH, POOR], 3n)).toEqual({
    height: 3n,
    units: new Map([
      [RICH, 123n],
      [POOR, 0n],
    ]),
  });
  expect(await reader.balances('ETH', [RICH], 5n)).toEqual({ height: 5n, units: new Map([[RICH, 2n ** 128n]]) });
  expect(methods()).toEqual(['eth_chainId', 'eth_call', 'eth_call']);
});

test('1,201 addresses take three calls and none is lost', async () => {
  const { reader, methods } = await readerOn();
  const addresses = Array.from({ length: 1_200 }, () => `0x${randomBytes(20).toString('hex')}`);
  const { units: balances } = await reader.balances('ETH', [...addresses, RICH], 3n);
  expect(balances.size).toBe(1_201);
  expect(balances.get(RICH)).toBe(123n);
  expect(methods().filter((method) => method === 'eth_call')).toHaveLength(3);
  expect(await reader.balances('ETH', [], 4n)).toEqual({ height: 4n, units: new Map() });
});

test('where Multicall3 has no code the addresses are asked for one by one', async () => {
  const { reader, methods } = await readerOn((call) => (call.method === 'eth_call' ? '0x' : undefined));
  const addresses = Array.from({ length: 150 }, () => `0x${randomBytes(20).toString('hex')}`);
  const { units: balances } = await reader.balances('ETH', [...addresses, RICH], 3n);
  expect(balances.size).toBe(151);
  expect(balances.get(RICH)).toBe(123n);
  expect(methods().filter((method) => method === 'eth_getBalance')).toHaveLength(151);
});

test('a real node without Multicall3 answers the same', async () => {
  const bare = await startAnvil();
  try {
    await bare.rpc('anvil_setBalance', [RICH, '0x5']);
    await bare.rpc('anvil_mine', ['0x1']);
    const reader = new EvmReader({ chain: 'ethereum', coin: 'ETH', url: bare.url, chainId: CHAIN_ID });
    expect(await reader.balances('ETH', [POOR, RICH], 1n)).toEqual({
      height: 1n,
      units: new Map([
        [POOR, 0n],
        [RICH, 5n],
      ]),
    });
  } finally {
    await bare.stop();
  }
});

test('[B5] a height whose state the node does not have is an error, never a balance', async () => {
  const reader = new EvmReader({ chain: 'ethereum', coin: 'ETH', url: anvil.url, chainId: CHAIN_ID });
  await expect(reader.balances('ETH', [RICH], 99n)).rejects.toMatchObject({ reason: 'invalid_answer' });
  const { reader: pruned } = await readerOn((call) => {
    if (call.method === 'eth_call') throw new ScriptedError(-32000, 'missing trie node');
    return undefined;
  });
  await expect(pruned.balances('ETH', [RICH], 4n)).rejects.toMatchObject({ reason: 'invalid_answer' });
});

test.each([
  ['too few balances', () => anvilAnswer([POOR])],
  ['cut off bytes', async () => (await anvilAnswer([RICH, POOR])).slice(0, -64)],
  ['no bytes', async () => 'nothing'],
  ['a number', async () => 7],
])('[B6] %s are refused', async (_, answer) => {
  const { reader } = await readerOn((call) => (call.method === 'eth_call' ? answer() : undefined));
  await expect(reader.balances('ETH', [RICH, POOR], 4n)).rejects.toMatchObject({ reason: 'invalid_answer' });
});

test('[B6] a balance that is none is refused in the fallback too', async () => {
  const { reader } = await readerOn((call) =>
    call.method === 'eth_call' ? '0x' : call.method === 'eth_getBalance' ? '-0x1' : undefined,
  );
  await expect(reader.balances('ETH', [RICH], 4n)).rejects.toMatchObject({ reason: 'invalid_answer' });
});

/** What anvil answers to the balance call for other addresses. */
async function anvilAnswer(addresses: string[]): Promise<string> {
  const { balancesCall } = await import('./multicall');
  return String(await anvil.rpc('eth_call', balancesCall(addresses, 4n).params));
}
