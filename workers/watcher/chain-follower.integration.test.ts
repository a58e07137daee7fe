import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import type { ChainReader, ChainTraits } from '@/lib/chains/types';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { addSeconds, systemClock } from '@/lib/shared/time';
import { anvilReader, startAnvil } from '@/testing/anvil';
import { emptyTables } from '@/testing/empty-tables';
import { makeInvoice, makePool, makeUser } from '@/testing/factories';
import { paymentOf } from '@/testing/made-chain';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;
const LEFT = 'money left one of our addresses without the product';

let database: TestDatabase;
let owner: Database;
/** The watcher's login: what it may not do fails here. */
let db: Database;
let chain: MemoryChain;
let address: string;
const watchers: ChainWatcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  db = openDatabase(database.roleUrl('watcher'), { max: 4, applicationName: 'test-news' });
});
afterAll(async () => {
  await closeDatabase(db);
  await database.drop();
});
beforeEach(async () => {
  await emptyTables(owner.pool);
  chain = new MemoryChain({ seed: 'news', startsAt: addSeconds(new Date(), -36_000), height: 10 });
});
afterEach(() => Promise.all(watchers.splice(0).map((watcher) => watcher.close())));

interface Watching {
  tick(): Promise<void>;
  stop: AbortController;
  /** What was logged. */
  lines: Record<string, unknown>[];
}

/** A watcher with one pending invoice on a watched address. */
async function watch(reader: ChainReader, traits: Partial<ChainTraits> = {}): Promise<Watching> {
  const lines: Record<string, unknown>[] = [];
  const stop = new AbortController();
  const watcher = new ChainWatcher({
    db,
    reader,
    settings: { confirmation: { kind: 'count', blocks: 1 }, isDevnet: false, pollMs: 0 },
    traits: { ...chainDefinition('ethereum').traits, ...traits },
    drain: (of) => drainSettlements(db, of, systemClock),
    signal: stop.signal,
    clock: systemClock,
    logger: pino({ level: 'info' }, { write: (line: string) => lines.push(JSON.parse(line)) }),
  });
  watchers.push(watcher);
  await makePool(owner.pool, { count: 1 });
  await owner.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
  await watcher.tick();
  const { id } = await makeUser(owner.pool);
  const { walletId } = await makeInvoice(owner.pool, { userId: id, dueUnits: DUE });
  await owner.pool.query("UPDATE pool_generation SET generation = generation + 1 WHERE family = 'EVM'");
  await owner.pool.query('UPDATE pool_address SET generation = 2 WHERE claimed_at IS NULL');
  await watcher.tick();
  address = (await owner.pool.query('SELECT address FROM wallet WHERE id = $1', [walletId])).rows[0]?.address ?? '';
  return { tick: () => watcher.tick(), stop, lines };
}

/** The node of the chain in memory, which answers one call otherwise. */
const node = (change: Partial<ChainReader> = {}) => Object.assign(new MemoryNode({ chain, finalityDepth: 3 }), change);
const state = async () => (await owner.pool.query('SELECT payment_state FROM invoice')).rows[0]?.payment_state;

describe('money that leaves an address of ours', () => {
  test('is reported, with amount and fee, once, by what a real node says of it', async () => {
    const anvil = await startAnvil();
    try {
      const { tick, lines } = await watch(anvilReader(anvil.url));
      await anvil.rpc('anvil_setBalance', [address, '0x8ac7230489e80000']);
      await anvil.rpc('anvil_impersonateAccount', [address]);
      const sent = { from: address, to: `0x${'ab'.repeat(20)}`, value: '0x64', gas: '0x5208', gasPrice: '0x77359400' };
      const txHash = await anvil.rpc('eth_sendTransaction', [sent]);
      await expect.poll(() => anvil.rpc('eth_getTransactionReceipt', [txHash])).not.toBeNull();
      await tick();
      await tick();
      expect(lines.filter(({ msg }) => msg === LEFT)).toMatchObject([
        { level: 50, chain: 'ethereum', coin: 'ETH', txHash, from: address, amountUnits: 100, feeUnits: 21_000 * 2e9 },
      ]);
    } finally {
      await anvil.stop();
    }
  });

  test('is not reported of a block that does not count', async () => {
    const outgoing = { txHash: '0xout', coin: 'ETH' as const, from: '0xours', to: null, amountUnits: 1n, feeUnits: 2n };
    const honest = node();
    const reader = node({
      scan: async (...asked) => (await honest.scan(...asked)).map((block) => ({ ...block, outgoing: [outgoing] })),
    });
    const { tick, lines } = await watch(reader);
    await owner.pool.query("UPDATE chain_cursor SET paused_reason = 'manutenzione'");
    chain.mine();
    await tick();
    expect(lines.filter(({ msg }) => msg === LEFT)).toEqual([]);
    await owner.pool.query('UPDATE chain_cursor SET paused_reason = NULL');
    await tick();
    expect(lines.filter(({ msg }) => msg === LEFT)).toMatchObject([{ txHash: '0xout', amountUnits: 1, feeUnits: 2 }]);
  });
});

describe('money that waits to be mined', () => {
  test('is looked at where the chain’s mempool is seen, and not asked for elsewhere', async () => {
    const { tick } = await watch(node(), { seesMempool: true });
    chain.send({ to: address, amountUnits: DUE });
    await tick();
    expect(await state()).toBe('seen');
    chain.mine();
    await tick();
    expect(await state()).toBe('settled');
    await emptyTables(owner.pool);
    const blind = await watch(node({ mempool: () => Promise.reject(new Error('asked')) }), { seesMempool: false });
    await blind.tick();
    expect(await state()).toBe('unpaid');
  });

  test('does not end by a look during which a block came', async () => {
    let waits = () => true;
    const honest = node();
    const reader = node({ mempool: async (isWatched) => (waits() ? honest.mempool(isWatched) : []) });
    const { tick } = await watch(reader, { seesMempool: true });
    chain.send({ to: address, amountUnits: DUE });
    await tick();
    waits = () => {
      chain.mine();
      return false;
    };
    await tick();
    expect(await state()).toBe('seen');
    waits = () => false;
    await tick();
    expect(await state()).toBe('settled');
  });

  test('does not end while the watcher has not read up to the head: it stops, or the node lags', async () => {
    let waiting = false;
    const reader = node({ mempool: async () => (waiting ? [paymentOf('0xwaits', address, DUE)] : []) });
    const { tick, stop } = await watch(reader, { seesMempool: true, blocksPerStep: 1 });
    waiting = true;
    await tick();
    waiting = false;
    reader.break({ kind: 'lag', blocks: 1, calls: 9 });
    await tick();
    expect(await state()).toBe('seen');
    reader.heal();
    chain.mine(2);
    reader.beforeNextScan(async () => stop.abort());
    await tick();
    expect(await state()).toBe('seen');
  });
});
