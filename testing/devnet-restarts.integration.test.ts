import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import getPort from 'get-port';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { callNode } from '@/devnet/ethereum/call-node';
import { stateFile } from '@/devnet/ethereum/chain-state';
import { createFaucet } from '@/devnet/ethereum/faucet';
import { type EthereumNode, startNode } from '@/devnet/ethereum/start-node';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { systemClock } from '@/lib/shared/time';
import { anvilReader } from './anvil';
import { makeInvoice, makePool, makeUser } from './factories';
import { createTestDatabase, type TestDatabase } from './test-database';

const RESTARTS = 10;
const DUE = 10n ** 16n;
const KEPT = '0x000000000000000000000000000000000000bEEF';

let database: TestDatabase;
let folder: string;
let port: number;
let node: EthereumNode;
let watcher: ChainWatcher;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = mkdtempSync(path.join(tmpdir(), 'incassa-devnet-test-'));
  port = await getPort({ host: '127.0.0.1' });
  await makePool(database.db.pool, { count: RESTARTS + 2 });
  await database.db.pool.query(`INSERT INTO pool_generation VALUES ('EVM', 1)`);
  node = await start();
});
afterAll(async () => {
  await watcher.close();
  await node.stop();
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** The node on the same folder and port, and a watcher that knows of it what the database says. */
async function start(): Promise<EthereumNode> {
  const started = await startNode({ folder, port, log: () => undefined });
  watcher = new ChainWatcher({
    db: database.db,
    reader: anvilReader(started.url),
    settings: { confirmation: { kind: 'count', blocks: 1 }, isDevnet: true, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: (chain) => drainSettlements(database.db, chain, systemClock),
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  return started;
}

/** As many looks as it takes to believe that a head is really lower. */
async function look(): Promise<void> {
  for (let round = 0; round < 4; round++) await watcher.tick();
}

async function hashes(to: number): Promise<string[]> {
  const hash = z.object({ hash: z.string() });
  const heights = Array.from({ length: to + 1 }, (_, height) => `0x${height.toString(16)}`);
  return Promise.all(
    heights.map(async (height) => (await callNode(node.url, 'eth_getBlockByNumber', [height, false], hash)).hash),
  );
}

const balance = (address: string) =>
  callNode(node.url, 'eth_getBalance', [address, 'latest'], z.string().transform(BigInt));

async function query<T>(text: string): Promise<T[]> {
  return (await database.db.pool.query(text)).rows as T[];
}

test('over ten restarts, kills among them, the chain stays one chain: no open invoice is lost, and the last one is paid', async () => {
  await createFaucet(node.url).send(KEPT, 7n);
  await look();
  const { id: userId } = await makeUser(database.db.pool);
  for (let round = 1; round <= RESTARTS; round++) {
    await makeInvoice(database.db.pool, { userId, dueUnits: DUE });
    await node.blocks.mine(2);
    await node.save();
    const saved = await hashes(await node.blocks.mine(1).then((height) => (height ?? 0) - 1));
    await look();
    if (round % 3 === 0) {
      process.kill(node.pid, 'SIGKILL');
      await node.ended;
    } else await node.stop();
    await watcher.close();
    node = await start();
    await look();
    expect(await hashes(saved.length - 1), `blocks after restart ${round}`).toEqual(saved);
    expect(await balance(KEPT)).toBe(7n);
    const open = await query('SELECT DISTINCT status FROM invoice');
    expect(open, `invoices after restart ${round}`).toEqual([{ status: 'pending' }]);
  }
  expect(await query('SELECT epoch FROM chain_cursor')).toEqual([{ epoch: 0 }]);
  const [last] = await query<{ address: string }>(
    'SELECT address FROM wallet JOIN invoice ON wallet.id = invoice.wallet_id ORDER BY invoice.id DESC LIMIT 1',
  );
  await createFaucet(node.url).send(last?.address ?? '', DUE);
  await look();
  expect(await query('SELECT status, count(*)::int FROM invoice GROUP BY status ORDER BY status')).toEqual([
    { status: 'pending', count: RESTARTS - 1 },
    { status: 'paid', count: 1 },
  ]);
}, 90_000);

test('a folder that an earlier version left with several blocks 0 goes on with the oldest, its own', async () => {
  const [genesis] = await hashes(0);
  await node.stop();
  const state = JSON.parse(readFileSync(stateFile(folder), 'utf8'));
  const own = state.blocks.find(({ header }: { header: { number: string } }) => Number(header.number) === 0);
  const younger = [9_000, 9_001].map((seconds) => ({
    ...own,
    header: { ...own.header, timestamp: `0x${(Number(own.header.timestamp) + seconds).toString(16)}` },
  }));
  writeFileSync(stateFile(folder), JSON.stringify({ ...state, blocks: [...younger, ...state.blocks, ...younger] }));
  rmSync(path.join(folder, 'ethereum-genesis.json'));
  node = await start();
  expect(await hashes(0)).toEqual([genesis]);
}, 30_000);
