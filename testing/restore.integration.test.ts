import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { listUnattributed } from '@/lib/deposits/unattributed';
import { createInvoice } from '@/lib/invoices/create-invoice';
import { publishWatchKeys } from '@/lib/keys/publish-watch-keys';
import type { FindUsed } from '@/lib/wallets/add-generation';
import { createPrimaryWallet } from '@/lib/wallets/create-primary-wallet';
import { recoverPool } from '@/lib/wallets/recover-pool';
import { replenishPool } from '@/lib/wallets/replenish-pool';
import { makeRate, makeUser } from './factories';
import { MemoryChain } from './memory-chain';
import { MemoryNode } from './memory-node';
import { stubWebEnvironment } from './stub-web-environment';
import { createTestDatabase, type TestDatabase } from './test-database';

const logger = pino({ level: 'silent' });
const POOL = 40;
const FORGOTTEN = 30;
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

/** A copy as of now: every session of the original ends for it, as with a backup of a stopped instance. */
async function backUp(instance: Instance): Promise<{ backup: TestDatabase; live: Instance }> {
  await instance.stop();
  const name = new URL(instance.database.url).pathname.slice(1);
  const backup = await createTestDatabase({ template: name });
  const reopened = {
    ...instance.database,
    db: openDatabase(instance.database.url, { max: 4, applicationName: 'live' }),
  };
  return { backup, live: startOn(reopened) };
}

describe('a restored backup', () => {
  const open: Instance[] = [];
  let restored: Instance;
  let known: string[];
  let forgotten: string[];

  beforeEach(async () => {
    chain = new MemoryChain({ seed: 'restore', startsAt: new Date(), height: 100 });
    node = new MemoryNode({ chain });
    const database = await createTestDatabase();
    stubWebEnvironment(database.roleUrl('web'), { INCASSA_MODE: 'embedded', ETH_RPC_URL: 'http://127.0.0.1:1' });
    await publishWatchKeys(database.db.pool, Buffer.alloc(32, 5));
    merchant = (await makeUser(database.db.pool)).id;
    const first = startOn(database);
    await round(first);
    await round(first);
    known = await sellMany(first, 5);
    const { backup, live } = await backUp(first);
    open.push(live);
    await round(live);
    forgotten = await sellMany(live, FORGOTTEN);
    chain.send({ to: forgotten[3] ?? '', amountUnits: 7n * 10n ** 15n });
    chain.mine();
    await live.watcher.tick();
    restored = startOn(backup);
    open.push(restored);
  }, 60_000);
  afterEach(async () => {
    for (const instance of open.splice(0)) {
      await instance.stop();
      await instance.database.drop();
    }
    vi.unstubAllEnvs();
  });

  test('gives no forgotten address away again, finds the money on it, and sells on by itself', async () => {
    await expect(sell(restored)).rejects.toMatchObject({ code: 'no_address_available' });
    await round(restored);
    await round(restored);
    const sold = await sellMany(restored, 2 * FORGOTTEN);
    expect(new Set(sold).size).toBe(2 * FORGOTTEN);
    expect(sold.filter((address) => [...known, ...forgotten].includes(address))).toEqual([]);
    const { items } = await listUnattributed(restored.web, { page: 1, pageSize: 10 });
    expect(items.map(({ address, amount }) => [address.toLowerCase(), amount])).toEqual([[forgotten[3], '0.00700000']]);
    const { rows } = await restored.database.db.pool.query(
      'SELECT reason, finished_at IS NOT NULL AS "isFinished" FROM pool_restore',
    );
    expect(rows).toEqual([{ reason: 'location', isFinished: true }]);
  });
});
