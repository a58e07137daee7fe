import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { noteHead } from '@/lib/chain-sync/cursor-repository';
import { setLoadedGeneration } from '@/lib/chain-sync/watched-repository';
import { addressCodec, chainDefinition } from '@/lib/chains/registry';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { listUnattributed } from '@/lib/deposits/unattributed';
import { createInvoice } from '@/lib/invoices/create-invoice';
import { publishWatchKeys } from '@/lib/keys/publish-watch-keys';
import type { FindUsed } from '@/lib/wallets/add-generation';
import { createPrimaryWallet } from '@/lib/wallets/create-primary-wallet';
import { recoverPool } from '@/lib/wallets/recover-pool';
import { replenishPool } from '@/lib/wallets/replenish-pool';
import { beginRestore } from '@/lib/wallets/restore-repository';
import { makeRate, makeUser } from './factories';
import { MemoryChain } from './memory-chain';
import { MemoryNode } from './memory-node';
import { stubWebEnvironment } from './stub-web-environment';
import { createTestDatabase, type TestDatabase } from './test-database';

const logger = pino({ level: 'silent' });
const POOL = 40;
const FORGOTTEN = 30;
const entropy = Buffer.alloc(32, 5);
const clock = () => new Date();

/** One database with the processes that use it. */
interface Instance {
  database: TestDatabase;
  web: Database;
  dispatcher: Database;
  watcher: ChainWatcher;
  stop(): Promise<void>;
}

let chain: MemoryChain;
let node: MemoryNode;
let merchant: number;

function startOn(database: TestDatabase): Instance {
  const web = openDatabase(database.roleUrl('web'), { max: 10, applicationName: 'web' });
  const dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 4, applicationName: 'dispatcher' });
  const db = openDatabase(database.roleUrl('watcher'), { max: 3, applicationName: 'watcher' });
  const watcher = new ChainWatcher({
    db,
    reader: node,
    settings: { confirmation: { kind: 'count', blocks: 1 }, isDevnet: false, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: async () => undefined,
    signal: new AbortController().signal,
    clock,
    logger,
  });
  const stop = async () => {
    await watcher.close().catch(() => undefined);
    for (const open of [web, dispatcher, db, database.db]) await closeDatabase(open);
  };
  return { database, web, dispatcher, watcher, stop };
}

const findUsed: FindUsed = async (_, addresses) => new Set(await node.usedAddresses(addresses));
const recover = ({ dispatcher }: Instance, ask = findUsed) =>
  recoverPool(dispatcher, { findUsed: ask, logger, signal: new AbortController().signal });

/** One round of the dispatcher's pool and of the watcher, in the order of the roles' own loops. */
async function round(instance: Instance): Promise<void> {
  const { isWhole, wasRestored } = await recover(instance);
  if (isWhole) await replenishPool(instance.dispatcher, POOL, wasRestored ? findUsed : null);
  await instance.watcher.tick();
  await instance.watcher.tick();
}

const priced = CreateInvoiceBody.parse({ description: 'Borsa', amountEuro: 31.18, cryptoType: 'ETH' });
async function sell({ web, database }: Instance): Promise<string> {
  await makeRate(database.db.pool);
  const invoice = await createInvoice(web, { userId: merchant, apiKeyId: null }, priced, clock);
  return invoice.wallet?.address.toLowerCase() ?? '';
}
async function sellMany(instance: Instance, count: number): Promise<string[]> {
  const addresses: string[] = [];
  for (let n = 0; n < count; n += 1) {
    if (n % 20 === 19) await round(instance);
    addresses.push(await sell(instance));
  }
  return addresses;
}

/** Restores the backup, as a database of its own. */
async function restore(): Promise<Instance> {
  const restored = startOn(await createTestDatabase({ template: nameOf(backup) }));
  open.push(restored);
  return restored;
}

const nameOf = ({ url }: TestDatabase) => new URL(url).pathname.slice(1);
/** Whatever the age of the watcher's last look. */
const claim = ({ web }: Instance) => createPrimaryWallet(web, merchant, 'ETH', clock);
const query = async ({ database }: Instance, text: string) => (await database.db.pool.query(text)).rows;

const open: Instance[] = [];
let backup: TestDatabase;
let known: string[];
let forgotten: string[];

beforeAll(async () => {
  chain = new MemoryChain({ seed: 'restore', startsAt: new Date(), height: 100 });
  node = new MemoryNode({ chain });
  const database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'), { INCASSA_MODE: 'embedded', ETH_RPC_URL: 'http://127.0.0.1:1' });
  await publishWatchKeys(database.db.pool, entropy);
  merchant = (await makeUser(database.db.pool)).id;
  const first = startOn(database);
  await round(first);
  await round(first);
  known = await sellMany(first, 5);
  await first.stop();
  backup = await createTestDatabase({ template: nameOf(database) });
  await closeDatabase(backup.db);

  const later = { ...database, db: openDatabase(database.url, { max: 4, applicationName: 'later' }) };
  const live = startOn(later);
  open.push(live);
  await round(live);
  forgotten = await sellMany(live, FORGOTTEN);
  chain.send({ to: forgotten[3] ?? '', amountUnits: 7n * 10n ** 15n });
  chain.mine();
  await live.watcher.tick();
}, 120_000);
afterEach(() => node.heal());
afterAll(async () => {
  for (const instance of open.splice(0)) {
    await instance.stop();
    await instance.database.drop();
  }
  await backup.drop();
  vi.unstubAllEnvs();
});

test('a restored backup gives no forgotten address away again, finds the money on it, and sells on by itself', async () => {
  const restored = await restore();
  await expect(claim(restored)).rejects.toMatchObject({ code: 'no_address_available' });
  await round(restored);
  await round(restored);
  const sold = await sellMany(restored, 2 * FORGOTTEN);
  expect(new Set(sold).size).toBe(2 * FORGOTTEN);
  expect(sold.filter((address) => [...known, ...forgotten].includes(address))).toEqual([]);
  const { items } = await listUnattributed(restored.web, { page: 1, pageSize: 10 });
  expect(items.map(({ address, amount }) => [address.toLowerCase(), amount])).toEqual([[forgotten[3], '0.00700000']]);
  expect(await query(restored, 'SELECT reason, finished_at IS NOT NULL AS "isFinished" FROM pool_restore')).toEqual([
    { reason: 'location', isFinished: true },
  ]);
}, 60_000);

test('a watcher that kept its lease through the restore reads nothing, and declares nothing as watched', async () => {
  const restored = await restore();
  const [cursor] = await query(restored, 'SELECT lease_token AS token, height FROM chain_cursor');
  const lease = { chain: 'ethereum', token: cursor?.token, owner: 'kept' } as const;
  const db = openDatabase(restored.database.roleUrl('watcher'), { max: 1, applicationName: 'kept' });
  const kept = { db, lease };
  const tries = () =>
    Promise.allSettled([
      noteHead(kept.db.pool, lease, { height: 1n, hash: '0x', finalizedHeight: null, time: new Date() }, 'EVM'),
      setLoadedGeneration(kept.db.pool, lease, 1_000n),
      kept.db.pool.query('UPDATE chain_cursor SET height = height + 1 WHERE lease_token = $1', [lease.token]),
    ]);
  const reasons = (results: PromiseSettledResult<unknown>[]) =>
    results.map((result) => (result.status === 'rejected' ? String(result.reason) : 'done'));
  try {
    expect(reasons(await tries())).toEqual([
      expect.stringContaining('is no longer the newest'),
      expect.stringContaining('is no longer the newest'),
      expect.stringContaining('the database was restored, or nobody looked yet: ethereum is read on'),
    ]);
    await beginRestore.one(restored.dispatcher.pool, { reason: 'location', atLeast: 100 });
    await recover(restored);
    const after = await tries();
    expect(after.slice(0, 2).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await query(restored, 'SELECT height, loaded_generation::int AS loaded FROM chain_cursor')).toEqual([
      { height: cursor?.height, loaded: 0 },
    ]);
    await expect(claim(restored)).rejects.toMatchObject({ code: 'no_address_available' });
    await round(restored);
    await claim(restored);
  } finally {
    await closeDatabase(db);
  }
}, 60_000);

test('kill -9 in the middle of the burn: nothing was given away, and the next dispatcher burns the rest', async () => {
  const restored = await restore();
  await beginRestore.one(restored.dispatcher.pool, { reason: 'location', atLeast: 1_500 });
  const { env } = process;
  const child = spawn(process.execPath, ['--import', 'tsx', 'workers/main.ts', 'dispatcher'], {
    env: {
      PATH: env.PATH ?? '',
      NODE_ENV: 'test',
      INCASSA_MODE: 'embedded',
      DISPATCHER_DATABASE_URL: restored.database.roleUrl('dispatcher'),
      APP_SEAL_KEY: Buffer.alloc(32, 7).toString('base64'),
      KRAKEN_URL: 'http://127.0.0.1:1',
      BINANCE_URL: 'http://127.0.0.1:1',
    },
    stdio: 'ignore',
  });
  const burned = async () =>
    Number((await query(restored, 'SELECT count(*) FROM pool_address WHERE burned_at IS NOT NULL'))[0]?.count);
  await vi.waitFor(async () => expect(await burned()).toBeGreaterThan(300), { timeout: 60_000, interval: 20 });
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
  expect(await burned()).toBeLessThan(1_500);
  await expect(claim(restored)).rejects.toMatchObject({ code: 'no_address_available' });
  await round(restored);
  await round(restored);
  expect(forgotten).not.toContain(await sell(restored));
  const [window] = await query(
    restored,
    `SELECT count(*)::int AS count, b.through_index + 1 AS all, bool_and(p.claimed_at IS NOT NULL) AS "allTaken"
     FROM pool_burn b JOIN watch_key k ON k.id = b.watch_key_id AND k.purpose = 'invoice'
       JOIN pool_address p ON p.watch_key_id = k.id AND p.derivation_index <= b.through_index GROUP BY b.through_index`,
  );
  expect(window).toMatchObject({ count: window?.all, allTaken: true });
}, 120_000);

test('the chain is asked: where it knows of later addresses the window goes on, and one that is used is never free', async () => {
  const restored = await restore();
  await beginRestore.one(restored.dispatcher.pool, { reason: 'location', atLeast: 300 });
  const [burn] = await query(
    restored,
    `SELECT k.public_key AS key, b.after_index AS after, b.through_index AS through FROM pool_burn b
     JOIN watch_key k ON k.id = b.watch_key_id AND k.purpose = 'invoice'`,
  );
  const addressAt = (index: number) => addressCodec('EVM').derive(String(burn?.key), index);
  const window = burn?.through - burn?.after;
  // One near the end of the window, and one above what the window becomes by it.
  const further = burn?.through - 2 + window;
  for (const index of [burn?.through - 2, further + 3]) chain.send({ to: addressAt(index), amountUnits: 10n ** 15n });
  chain.mine();
  node.break({ kind: 'error', reason: 'unreachable', calls: 1 });
  await expect(round(restored)).rejects.toMatchObject({ name: 'ChainError' });
  await expect(claim(restored)).rejects.toMatchObject({ code: 'no_address_available' });
  await round(restored);
  await round(restored);
  expect(await query(restored, `SELECT through_index AS through FROM pool_burn ORDER BY 1 DESC LIMIT 1`)).toEqual([
    { through: further },
  ]);
  // Those below the one that is used are taken when no others are left.
  expect(await sellMany(restored, 5)).toEqual([4, 5, 6, 7, 8].map((above) => addressAt(further + above)));
}, 60_000);

test('a backup that was made while a restore was under way, and is restored, burns a window of its own', async () => {
  const interrupted = await restore();
  await beginRestore.one(interrupted.dispatcher.pool, { reason: 'location', atLeast: 300 });
  await interrupted.stop();
  const again = startOn(await createTestDatabase({ template: nameOf(interrupted.database) }));
  open.push(again);
  await beginRestore.one(again.dispatcher.pool, { reason: 'location', atLeast: 100 });
  await recover(again);
  expect(await query(again, 'SELECT count(*)::int AS count FROM pool_restore WHERE finished_at IS NULL')).toEqual([
    { count: 1 },
  ]);
  expect(await query(again, 'SELECT restore_id FROM pool_home')).toEqual([{ restore_id: null }]);
}, 60_000);

test('whoever fills the pool while a restore begins gives nothing of its window away', async () => {
  const instance = await restore();
  await round(instance);
  for (let n = 0; n < 20 && !(await recover(instance)).isWhole; n += 1);
  let asked = 0;
  await replenishPool(instance.dispatcher, 600, async () => {
    asked += 1;
    if (asked === 2) await beginRestore.one(instance.dispatcher.pool, { reason: 'operator', atLeast: 2_000 });
    return new Set();
  });
  expect(asked).toBeGreaterThan(1);
  const isFree = 'SELECT count(*)::int AS count FROM pool_address WHERE claimed_at IS NULL';
  expect(await query(instance, isFree)).toEqual([{ count: 0 }]);
  // Whatever else may have put one there.
  await query(
    instance,
    `ALTER TABLE pool_address DISABLE TRIGGER USER;
     UPDATE pool_address SET claimed_at = NULL, burned_at = NULL WHERE id = (SELECT max(id) FROM pool_address);
     ALTER TABLE pool_address ENABLE TRIGGER USER`,
  );
  expect(await recover(instance)).toMatchObject({ isWhole: true });
  expect(
    await query(
      instance,
      `SELECT count(*)::int AS count FROM pool_address p JOIN pool_burn b ON b.watch_key_id = p.watch_key_id
       WHERE p.burned_at IS NULL AND p.derivation_index > b.after_index AND p.derivation_index <= b.through_index
         AND p.claimed_at IS NULL`,
    ),
  ).toEqual([{ count: 0 }]);
}, 120_000);

test('after a start of the server nothing is given away and no chain is read before a dispatcher has looked', async () => {
  const instance = await restore();
  for (let n = 0; n < 20 && !(await recover(instance)).isWhole; n += 1);
  await round(instance);
  expect(await sellMany(instance, 1)).toHaveLength(1);
  // As it stands in a data folder of before the server's last start.
  await query(instance, `UPDATE pool_home SET confirmed_start = confirmed_start - interval '1 hour'`);
  await expect(sell(instance)).rejects.toMatchObject({ code: 'no_address_available' });
  const height = () => query(instance, 'SELECT height FROM chain_cursor');
  const before = await height();
  chain.mine();
  await instance.watcher.tick().catch(() => undefined);
  expect(await height()).toEqual(before);
  await round(instance);
  // The lease that could not be kept meanwhile runs out.
  await query(instance, 'UPDATE chain_cursor SET lease_expires_at = now()');
  await round(instance);
  expect(await sellMany(instance, 1)).toHaveLength(1);
  expect(await height()).not.toEqual(before);
}, 60_000);

test('a backup of before the first address is known as one', async () => {
  const first = await createTestDatabase();
  await publishWatchKeys(first.db.pool, entropy);
  await closeDatabase(first.db);
  const restored = startOn(await createTestDatabase({ template: nameOf(first) }));
  open.push(restored);
  expect(await query(restored, 'SELECT is_restore_pending() AS pending')).toEqual([{ pending: true }]);
  await recover(restored);
  const burned = await query(restored, 'SELECT count(*)::int AS count FROM pool_address WHERE burned_at IS NOT NULL');
  expect(burned[0]?.count).toBeGreaterThan(100);
  await first.drop();
}, 60_000);
