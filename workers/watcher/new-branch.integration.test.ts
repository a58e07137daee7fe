import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { ChainError } from '@/lib/chains/types';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { checkPublicPayment } from '@/lib/invoices/check-payment';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { expireInvoices } from '@/lib/invoices/expire-invoices';
import { settleInvoice } from '@/lib/invoices/settle-invoice';
import { addSeconds, systemClock } from '@/lib/shared/time';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeInvoice, makePool, makeUser } from '@/testing/factories';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;

let database: TestDatabase;
let owner: Database;
let db: Database;
let web: Database;
let dispatcher: Database;
let chain: MemoryChain;
let node: MemoryNode;
let watcher: ChainWatcher;
let invoice: MadeInvoice;

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  stubWebEnvironment(database.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  const open = (role: 'watcher' | 'web' | 'dispatcher') =>
    openDatabase(database.roleUrl(role), { max: 3, applicationName: `test-branch-${role}` });
  [db, web, dispatcher] = [open('watcher'), open('web'), open('dispatcher')];
});
afterAll(async () => {
  await Promise.all([db, web, dispatcher].map(closeDatabase));
  await database.drop();
});
afterEach(() => watcher.close());

/** An invoice that was paid 20 blocks ago. */
beforeEach(async () => {
  await emptyTables(owner.pool);
  await makePool(owner.pool, { count: 1 });
  await owner.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
  chain = new MemoryChain({ seed: 'branch', startsAt: addSeconds(new Date(), -3_600), height: 10 });
  node = new MemoryNode({ chain, finalityDepth: 64 });
  watcher = new ChainWatcher({
    db,
    reader: node,
    settings: { confirmation: { kind: 'count', blocks: 2 }, isDevnet: false, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: async () => undefined,
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  await watcher.tick();
  const { id } = await makeUser(owner.pool);
  invoice = await makeInvoice(owner.pool, { userId: id, dueUnits: DUE, expiresAt: addSeconds(chain.tip.time, 300) });
  const { rows } = await owner.pool.query('SELECT address FROM wallet WHERE id = $1', [invoice.walletId]);
  chain.send({ to: rows[0]?.address, amountUnits: DUE });
  chain.mine(20);
  await watcher.tick();
  await drain();
  expect(await statuses()).toEqual(['paid']);
});

const drain = () => drainSettlements(db, 'ethereum', systemClock);
/** Everybody who decides on an invoice, each with the login of its process. */
async function everybodyDecides(): Promise<void> {
  await drain();
  await checkPublicPayment(web, invoice.uuid, systemClock);
  await settleInvoice(web, invoice.id, systemClock);
  await expireInvoices(dispatcher, systemClock);
}

/** What the invoice became, one after the other, as its webhooks tell it. */
async function statuses(): Promise<string[]> {
  const { rows } = await owner.pool.query('SELECT to_status FROM invoice_event ORDER BY sequence');
  return rows.map((row) => row.to_status);
}

/** The new branch's head is read, which shows that there is one; on the way to it blocks from this height on are not. */
function failFrom(height: bigint): () => void {
  const scan = node.scan.bind(node);
  node.scan = async (from, to, isWatched) => {
    if (to >= height && from <= 30n) throw new ChainError('timeout', 'not yet');
    return scan(from, to, isWatched);
  };
  return () => {
    node.scan = scan;
  };
}

test('[B1] a payment that the new branch holds too is never taken back, whoever decides while the branch is being read', async () => {
  chain.reorg({ depth: 20, fate: 'last block', extraBlocks: 1, isLate: false });
  const heal = failFrom(29n);
  await watcher.tick();
  const { rows } = await owner.pool.query('SELECT height, branch_height FROM chain_cursor');
  expect(rows[0]).toEqual({ height: 25n, branch_height: 31n });
  await everybodyDecides();
  expect(await statuses()).toEqual(['paid']);
  heal();
  await watcher.tick();
  await everybodyDecides();
  expect(await statuses()).toEqual(['paid']);
  const after = await owner.pool.query(
    'SELECT branch_height, (SELECT count(*)::int FROM settlement_task) AS tasks FROM chain_cursor',
  );
  expect(after.rows[0]).toEqual({ branch_height: null, tasks: 0 });
});

test('[B1] a payment that the new branch does not hold is taken back once the branch was read', async () => {
  chain.reorg({ depth: 20, fate: 'lost', extraBlocks: 1, isLate: false });
  const heal = failFrom(29n);
  await watcher.tick();
  await everybodyDecides();
  expect(await statuses()).toEqual(['paid']);
  heal();
  await watcher.tick();
  await everybodyDecides();
  expect(await statuses()).toEqual(['paid', 'pending']);
});

test('[B1] a branch that shrinks to what was read of it ends: decisions go on', async () => {
  chain.reorg({ depth: 20, fate: 'lost', extraBlocks: 3, isLate: false });
  failFrom(29n);
  await watcher.tick();
  const head = chain.blockAt(25);
  if (!head) throw new Error('no block 25');
  node.head = async () => ({ height: 25n, hash: head.hash, time: head.time, finalizedHeight: null });
  await watcher.tick();
  await everybodyDecides();
  expect(await statuses()).toEqual(['paid', 'pending']);
});
