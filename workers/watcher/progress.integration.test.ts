import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { ChainError, type ChainReader } from '@/lib/chains/types';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { getHealth } from '@/lib/health/get-health';
import { chooseCoin } from '@/lib/invoices/choose-coin';
import { createInvoice } from '@/lib/invoices/create-invoice';
import { getPublicInvoice } from '@/lib/invoices/get-invoice';
import { addSeconds, systemClock } from '@/lib/shared/time';
import { anvilReader, startAnvil } from '@/testing/anvil';
import { emptyTables } from '@/testing/empty-tables';
import { makePool, makeRate, makeUser } from '@/testing/factories';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { answering, ScriptedError, startScriptedNode } from '@/testing/scripted-node';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { createMetrics } from '@/workers/dispatcher/metrics';

const LOST = 'the chain is not followed: nothing is sold on it';
const BACK = 'the chain is followed again';

let database: TestDatabase;
let owner: Database;
let db: Database;
let web: Database;
let userId: number;
let chain: MemoryChain;
const watchers: ChainWatcher[] = [];
const ago = (seconds: number) => addSeconds(new Date(), -seconds);

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  stubWebEnvironment(database.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  db = openDatabase(database.roleUrl('watcher'), { max: 4, applicationName: 'test-progress' });
  web = openDatabase(database.roleUrl('web'), { max: 4, applicationName: 'test-progress-web' });
});
afterAll(async () => {
  await Promise.all([closeDatabase(db), closeDatabase(web)]);
  await database.drop();
  vi.unstubAllEnvs();
});
beforeEach(async () => {
  await emptyTables(owner.pool);
  userId = (await makeUser(owner.pool)).id;
  await makeRate(owner.pool);
  await makePool(owner.pool, { count: 10 });
  await owner.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
});
afterEach(() => Promise.all(watchers.splice(0).map((watcher) => watcher.close())));

/** A watcher of a chain whose head is so old, which was read up to it. */
async function watch(headAge: number) {
  chain = new MemoryChain({ seed: 'progress', startsAt: ago(headAge), height: 10 });
  return watchOn(new MemoryNode({ chain }));
}

/** The head as it stands, but so old. */
const headOf = (age: number) => async () => ({
  height: BigInt(chain.height),
  hash: chain.tip.hash,
  time: ago(age),
  finalizedHeight: null,
});

async function watchOn<T extends ChainReader>(reader: T) {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) });
  const watcher = new ChainWatcher({
    db,
    reader,
    settings: { confirmation: { kind: 'count', blocks: 1 }, isDevnet: false, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: async () => undefined,
    signal: new AbortController().signal,
    clock: systemClock,
    logger,
  });
  watchers.push(watcher);
  await watcher.tick();
  await watcher.tick();
  const told = () => lines.map(({ level, msg }) => [level, msg]).filter(([, msg]) => msg === LOST || msg === BACK);
  return { reader, tick: () => watcher.tick(), told };
}

const body = (over: object = {}) => CreateInvoiceBody.parse({ description: 'Borsa', amountEuro: 20, ...over });
const create = (over: object = {}) => createInvoice(web, { userId, apiKeyId: null }, body(over), systemClock);
const problems = async () => (await getHealth(web, systemClock)).coins[0]?.problems;
/** @returns false: a refusal is no sale */
function isUnavailable(error: unknown): false {
  expect(error).toMatchObject({ code: 'chain_unavailable' });
  return false;
}

/** What everybody who asks says: health, creation, the choice of a coin, and what the pay page offers. */
async function isSold(): Promise<boolean> {
  const answers = [(await getHealth(web, systemClock)).status === 'ok'];
  const { uuid } = await create();
  answers.push((await getPublicInvoice(web, uuid, systemClock)).availableCoins.includes('ETH'));
  for (const attempt of [() => create({ cryptoType: 'ETH' }), () => chooseCoin(web, uuid, 'ETH', systemClock)])
    answers.push(await attempt().then(() => true, isUnavailable));
  expect(new Set(answers).size).toBe(1);
  return answers[0] ?? false;
}

describe('a chain that is not followed', () => {
  test('[B5] with every scan failing while the head answers, health says so, nothing is sold, and the operator is told once', async () => {
    const { reader, tick, told } = await watch(600);
    expect(await isSold()).toBe(true);
    const honest = reader.scan.bind(reader);
    reader.scan = () => Promise.reject(new ChainError('invalid_answer', 'no batches'));
    chain.mineAt(ago(90));
    for (let look = 0; look < 3; look += 1) await tick();
    expect(await isSold()).toBe(false);
    expect(await problems()).toEqual(['blocks_unread']);
    const [coin] = (await getHealth(web, systemClock)).coins;
    expect(coin?.oldestUnreadSeconds).toBeGreaterThan(80);
    const metrics = await createMetrics(owner, systemClock).text();
    expect(metrics).toMatch(/incassa_chain_followed\{chain="ethereum"\} 0/);
    expect(Number(/incassa_chain_oldest_unread_seconds\{chain="ethereum"\} (\S+)/.exec(metrics)?.[1])).toBeGreaterThan(
      80,
    );
    expect(told()).toEqual([[50, LOST]]);
    reader.scan = honest;
    await vi.waitFor(async () => {
      await tick();
      expect(await problems()).toEqual([]);
    });
    expect(await isSold()).toBe(true);
    expect(told()).toEqual([
      [50, LOST],
      [40, BACK],
    ]);
    expect(await createMetrics(owner, systemClock).text()).toMatch(/incassa_chain_followed\{chain="ethereum"\} 1/);
  });

  test('[B5] with a head that stands still for longer than the chain allows, health and sale say the same', async () => {
    await watch(3_590);
    expect(await isSold()).toBe(true);
    await watchers.splice(0)[0]?.close();
    const frozen = await watchOn(Object.assign(new MemoryNode({ chain }), { head: headOf(3_650) }));
    expect(await isSold()).toBe(false);
    expect(await problems()).toEqual(['node_lagging']);
    expect(frozen.told()).toEqual([[50, LOST]]);
  });

  test('a watcher that catches up after a restart sells only when it has', async () => {
    const first = await watch(600);
    await watchers.splice(0)[0]?.close();
    for (let age = 590; age >= 0; age -= 10) chain.mineAt(ago(age));
    const sold: unknown[] = [];
    const scan = first.reader.scan.bind(first.reader);
    first.reader.scan = async (from, ...rest) => {
      if (from === 11n || from === 41n) sold.push(await isSold());
      return scan(from, ...rest);
    };
    await watchOn(first.reader);
    expect(sold).toEqual([false, false]);
    expect(await isSold()).toBe(true);
  });
});

test('[B5] a node that answers for its head but refuses requests of more than three calls is read, and its payments are seen', async () => {
  const anvil = await startAnvil();
  const serve = answering((call) => anvil.rpc(call.method, call.params));
  const refuse = answering(() => Promise.reject(new ScriptedError(-32600, 'too many calls')));
  const node = await startScriptedNode((asked, response) => {
    if (asked.calls.length <= 3) return serve(asked, response);
    return refuse({ ...asked, isBatch: false, calls: asked.calls.slice(0, 1) }, response);
  });
  try {
    const { tick } = await watchOn(anvilReader(node.url));
    const { wallet } = await create({ cryptoType: 'ETH' });
    const [from] = (await anvil.rpc('eth_accounts')) as string[];
    const hash = await anvil.rpc('eth_sendTransaction', [{ from, to: wallet?.address, value: '0x64', gas: '0x5208' }]);
    await vi.waitFor(async () => expect(await anvil.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull(), 10_000);
    await anvil.rpc('anvil_mine', ['0x24']);
    await tick();
    const { rows } = await owner.pool.query('SELECT height, head_height FROM chain_cursor');
    expect(rows[0]).toEqual({ height: 37n, head_height: 37n });
    expect((await owner.pool.query('SELECT tx_hash FROM deposit')).rows).toEqual([{ tx_hash: hash }]);
    expect(await isSold()).toBe(true);
  } finally {
    await Promise.all([node.stop(), anvil.stop()]);
  }
});
