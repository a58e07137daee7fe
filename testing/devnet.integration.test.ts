import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Contract, JsonRpcProvider, parseEther } from 'ethers';
import getPort from 'get-port';
import { createTransport } from 'nodemailer';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { callControl } from '@/devnet/control/call-control';
import { callNode } from '@/devnet/ethereum/call-node';
import { stateFile } from '@/devnet/ethereum/chain-state';
import { createFaucet } from '@/devnet/ethereum/faucet';
import { startNode } from '@/devnet/ethereum/start-node';
import { createDevnetServer } from '@/devnet/http/devnet-server';
import { sendPayments } from '@/devnet/pay/send-payments';
import { PriceTable } from '@/devnet/prices/price-table';
import { startMail } from '@/devnet/start-mail';
import multicall3 from '@/lib/chains/evm/multicall3.json';
import { binanceVenue } from '@/lib/rates/venues/binance';
import { krakenVenue } from '@/lib/rates/venues/kraken';
import { systemClock } from '@/lib/shared/time';

const TOKEN = 't'.repeat(40);
const CUSTOMER = '0x000000000000000000000000000000000000dEaD';
let folder: string;
const cleanUps: (() => unknown)[] = [];

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'incassa-devnet-test-'));
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  rmSync(folder, { recursive: true, force: true });
});

async function startChain() {
  const node = await startNode({ folder, port: await getPort({ host: '127.0.0.1' }), log: () => undefined });
  cleanUps.push(() => node.stop());
  return node;
}

async function startDevnet() {
  const node = await startChain();
  const server: Server = createDevnetServer({
    node,
    faucet: createFaucet(node.url),
    prices: new PriceTable(),
    controlToken: TOKEN,
    log: () => undefined,
  });
  const port = await getPort({ host: '127.0.0.1' });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  cleanUps.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return {
    url: `http://127.0.0.1:${port}`,
    controlToken: TOKEN,
    chains: ['ethereum' as const],
    venues: ['Kraken', 'Binance'],
  };
}

const balance = (url: string) => callNode(url, 'eth_getBalance', [CUSTOMER, 'latest'], z.string().transform(BigInt));
const block = (url: string, tag: string) =>
  callNode(url, 'eth_getBlockByNumber', [tag, false], z.object({ hash: z.string(), number: z.string() }));

async function post(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  return { status: response.status, body: await response.json() };
}

test('the chain goes on after a restart: same genesis, same blocks, same balances', async () => {
  const first = await startChain();
  await createFaucet(first.url).send(CUSTOMER, parseEther('1.5'));
  const [genesis, head] = [await block(first.url, '0x0'), await block(first.url, 'latest')];
  await first.stop();
  const second = await startChain();
  expect(await block(second.url, '0x0')).toEqual(genesis);
  expect(await block(second.url, head.number)).toEqual(head);
  expect(await balance(second.url)).toBe(parseEther('1.5'));
});

test('a saved chain that cannot be read gives way to a new one', async () => {
  await (await startChain()).stop();
  writeFileSync(stateFile(folder), '{"block":');
  const node = await startChain();
  expect((await block(node.url, '0x0')).number).toBe('0x0');
});

test('Multicall3 stands at its usual address and reads balances', async () => {
  const node = await startChain();
  await createFaucet(node.url).grant(CUSTOMER, 7n);
  const provider = new JsonRpcProvider(node.url);
  cleanUps.push(() => provider.destroy());
  const abi = [
    'function getEthBalance(address) view returns (uint256)',
    'function aggregate3((address target, bool allowFailure, bytes callData)[]) view returns ((bool success, bytes returnData)[])',
  ];
  const contract = new Contract(multicall3.address, abi, provider);
  const callData = contract.interface.encodeFunctionData('getEthBalance', [CUSTOMER]);
  const results = await contract.getFunction('aggregate3')([[multicall3.address, false, callData]]);
  expect(BigInt(results[0].returnData)).toBe(7n);
});

test('methods that change the chain at will need the control token, also inside a batch', async () => {
  const { url } = await startDevnet();
  const call = (method: string, id = 1) => ({ jsonrpc: '2.0', id, method, params: [] });
  const refused = { error: { code: -32_601 } };
  expect(await post(`${url}/eth`, call('anvil_nodeInfo'))).toMatchObject({ body: refused });
  expect(await post(`${url}/eth`, [call('eth_chainId'), call('evm_mine', 2)])).toMatchObject({
    body: { id: 2, ...refused },
  });
  expect(await post(`${url}/eth`, [call('eth_chainId')])).toMatchObject({ body: [{ result: '0x7a69' }] });
  const authorization = `Bearer ${TOKEN}`;
  expect(await post(`${url}/eth`, call('anvil_nodeInfo'), { authorization })).toMatchObject({ body: { result: {} } });
  expect(await post(`${url}/eth`, 'x')).toMatchObject({ body: { error: { code: -32_700 } } });
  const wrong: Record<string, string>[] = [{}, { authorization: 'Bearer wrong' }];
  for (const headers of wrong) {
    const body = { coin: 'ETH', blocks: 1 };
    expect(await post(`${url}/control/mine`, body, headers)).toMatchObject({ status: 401 });
  }
});

test('test customers side by side pay with real transactions, each the full amount', async () => {
  const devnet = await startDevnet();
  const payments = [1, 2, 3].map((times) => sendPayments(devnet, CUSTOMER, parseEther('0.01'), times));
  const funded = callControl(devnet, 'fund', { coin: 'ETH', address: CUSTOMER, amount: '0.5' });
  const hashes = (await Promise.all(payments)).flat();
  expect(new Set(hashes).size).toBe(6);
  expect((await funded).hash).toMatch(/^0x[0-9a-f]{64}$/);
  expect(await balance(`${devnet.url}/eth`)).toBe(parseEther('0.56'));
});

test('a pause holds the chain still but for the blocks of its holder; the next one waits, and blocks come again after it', async () => {
  const devnet = await startDevnet();
  const height = async () => Number((await block(`${devnet.url}/eth`, 'latest')).number);
  const { pause } = await callControl(devnet, 'pause', { coin: 'ETH' });
  const before = await height();
  const others: string[] = [];
  const second = callControl(devnet, 'pause', { coin: 'ETH', seconds: 1 }).then((held) => {
    others.push('second pause');
    return held.pause;
  });
  const mined = callControl(devnet, 'mine', { coin: 'ETH', blocks: 1 }).then(() => others.push('blocks of others'));
  expect(await callControl(devnet, 'mine', { coin: 'ETH', blocks: 2, pause })).toEqual({ height: before + 2 });
  // Longer than a block takes.
  await sleep(2_500);
  expect(await height()).toBe(before + 2);
  expect(others).toEqual([]);
  await callControl(devnet, 'resume', { coin: 'ETH', pause });
  const late = await second;
  await expect(callControl(devnet, 'resume', { coin: 'ETH', pause })).rejects.toThrow('This pause is over');
  await mined;
  // The second pause ended by itself, after its second.
  expect(others).toEqual(['second pause', 'blocks of others']);
  await expect(callControl(devnet, 'mine', { coin: 'ETH', blocks: 1, pause: late })).rejects.toThrow('is over');
  await vi.waitFor(async () => expect(await height()).toBeGreaterThan(before + 3), { timeout: 10_000 });
});

test('both venues are read by the product’s own adapters, and follow a price that is set', async () => {
  const devnet = await startDevnet();
  await callControl(devnet, 'set-price', { name: 'ETH', price: '1234' });
  const signal = new AbortController().signal;
  for (const venue of [krakenVenue(`${devnet.url}/kraken`), binanceVenue(`${devnet.url}/binance`)]) {
    const quotes = await venue.fetchQuotes(signal, systemClock);
    expect(quotes.map(({ coin }) => coin)).toEqual(['ETH', 'BNB', 'TON', 'TRX', 'LTC']);
    expect(Math.abs(Number(quotes[0]?.bid) / 1234 - 1)).toBeLessThan(0.01);
  }
});

test('mail stays in the inbox, which no other web page can read', async () => {
  const [smtpPort, inboxPort] = [await getPort({ host: '127.0.0.1' }), await getPort({ host: '127.0.0.1' })];
  const mail = await startMail({ folder: path.join(folder, 'mail'), smtpPort, inboxPort });
  cleanUps.push(() => mail.stop());
  const transport = createTransport(`smtp://127.0.0.1:${smtpPort}`);
  await transport.sendMail({ from: 'a@b.it', to: 'c@d.it', subject: 'Pagamento ricevuto', text: 'ok' });
  const response = await fetch(`http://127.0.0.1:${inboxPort}/api/email`, {
    headers: { origin: 'https://evil.example' },
  });
  expect(response.headers.get('access-control-allow-origin')).toBeNull();
  expect(await response.json()).toMatchObject([{ subject: 'Pagamento ricevuto' }]);
  const page = await fetch(`http://127.0.0.1:${inboxPort}/`);
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')]);
});
