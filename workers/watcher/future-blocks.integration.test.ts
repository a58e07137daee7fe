import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { liveSince } from '@/lib/chain-sync/progress';
import { chainDefinition } from '@/lib/chains/registry';
import type { BlockRef } from '@/lib/chains/types';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { expireInvoices } from '@/lib/invoices/expire-invoices';
import { addSeconds, systemClock } from '@/lib/shared/time';
import { emptyTables } from '@/testing/empty-tables';
import { makeInvoice, makePool, makeUser } from '@/testing/factories';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;
const YEAR_SECONDS = 365 * 86_400;

let database: TestDatabase;
let owner: Database;
let db: Database;
let dispatcher: Database;
let chain: MemoryChain;
let address: string;
/** What the node adds to the times of blocks that it shows in a scan, and to its head's. */
let lie = { scan: 0, head: 0 };
const watchers: ChainWatcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  const open = (role: 'watcher' | 'dispatcher') =>
    openDatabase(database.roleUrl(role), { max: 3, applicationName: `test-future-${role}` });
  [db, dispatcher] = [open('watcher'), open('dispatcher')];
});
afterAll(async () => {
  await Promise.all([db, dispatcher].map(closeDatabase));
  await database.drop();
});
afterEach(() => Promise.all(watchers.splice(0).map((watcher) => watcher.close())));

beforeEach(async () => {
  await emptyTables(owner.pool);
  await makePool(owner.pool, { count: 1 });
  await owner.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
  chain = new MemoryChain({ seed: 'future', startsAt: addSeconds(new Date(), -1_800), height: 10 });
  lie = { scan: 0, head: 0 };
});

const dated = (block: BlockRef, seconds: number) => ({
  time: addSeconds(block.time, seconds),
  chainTime: addSeconds(block.chainTime, seconds),
});

/** A watcher that stands on the chain's head, and a pending invoice. */
async function watch({ isDevnet }: { isDevnet: boolean }): Promise<ChainWatcher> {
  const node = new MemoryNode({ chain });
  const [head, scan] = [node.head.bind(node), node.scan.bind(node)];
  node.head = async () => {
    const told = await head();
    return { ...told, time: addSeconds(told.time, lie.head) };
  };
  node.scan = async (...asked) => (await scan(...asked)).map((block) => ({ ...block, ...dated(block, lie.scan) }));
  const watcher = new ChainWatcher({
    db,
    reader: node,
    settings: { confirmation: { kind: 'count', blocks: 1 }, isDevnet, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: () => drainSettlements(db, 'ethereum', systemClock),
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  watchers.push(watcher);
  await watcher.tick();
  const { id } = await makeUser(owner.pool);
  const expiresAt = addSeconds(new Date(), 1_800);
  const { walletId } = await makeInvoice(owner.pool, { userId: id, dueUnits: DUE, expiresAt });
  address = (await owner.pool.query('SELECT address FROM wallet WHERE id = $1', [walletId])).rows[0]?.address;
  return watcher;
}

const cursor = async () =>
  (
    await owner.pool.query(
      `SELECT height, chain_time AS "chainTime", head_time AS "headTime", looked_at AS "lookedAt",
         unread_since AS "unreadSince", updated_at AS "followedUntil" FROM chain_cursor`,
    )
  ).rows[0];
const statuses = async () => (await owner.pool.query('SELECT status FROM invoice')).rows.map((row) => row.status);

for (const [what, told] of [
  ['head and blocks', { scan: YEAR_SECONDS, head: YEAR_SECONDS }],
  ['a head', { scan: 0, head: YEAR_SECONDS }],
  ['blocks', { scan: YEAR_SECONDS, head: 0 }],
] as const) {
  test(`a node that dates ${what} a year ahead ends no invoice, moves nothing, and is followed again when it stops`, async () => {
    const watcher = await watch({ isDevnet: false });
    const before = await cursor();
    chain.send({ to: address, amountUnits: DUE });
    chain.mine();
    lie = told;
    await watcher.tick();
    await expireInvoices(dispatcher, systemClock);
    const { height, chainTime } = await cursor();
    expect({ height, chainTime }).toEqual({ height: before.height, chainTime: before.chainTime });
    expect(await statuses()).toEqual(['pending']);
    lie = { scan: 0, head: 0 };
    await expect.poll(() => watcher.tick().then(statuses)).toEqual(['paid']);
    expect((await cursor()).height).toBe(11n);
  });
}

test('a look that showed a head in the future was none: nobody counts the chain as followed by it', async () => {
  const watcher = await watch({ isDevnet: false });
  const before = await cursor();
  lie = { scan: 0, head: YEAR_SECONDS };
  await watcher.tick();
  expect(await cursor()).toEqual(before);
});

test('a block in the future under an honest head stays unread, and once it waited for long the chain is not sold', async () => {
  const watcher = await watch({ isDevnet: false });
  chain.mineAt(addSeconds(new Date(), -90));
  lie = { scan: YEAR_SECONDS, head: 0 };
  await watcher.tick();
  const { unreadSince, followedUntil } = await cursor();
  expect(unreadSince).toEqual(chain.tip.time);
  expect(followedUntil < liveSince(new Date())).toBe(true);
});

test('a devnet whose clock was moved ahead is followed, and its time ends invoices', async () => {
  const watcher = await watch({ isDevnet: true });
  chain.mineAt(addSeconds(new Date(), 7_200));
  await watcher.tick();
  await expireInvoices(dispatcher, systemClock);
  expect(await cursor()).toMatchObject({ height: 11n, chainTime: chain.tip.time });
  expect(await statuses()).toEqual(['expired']);
});
