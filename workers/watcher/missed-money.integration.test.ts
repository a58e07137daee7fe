import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { findRescan, insertRescan, type RescanRow } from '@/lib/chain-sync/rescan-repository';
import { chainDefinition } from '@/lib/chains/registry';
import { ChainError } from '@/lib/chains/types';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { auditBookings } from '@/lib/deposits/booking-audit-repository';
import type { ProvenBalance } from '@/lib/deposits/credit-difference';
import { attachDeposit } from '@/lib/deposits/unattributed';
import { announceSurpluses } from '@/lib/invoices/announce-surpluses';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { getInvoice } from '@/lib/invoices/get-invoice';
import { noteSurplus } from '@/lib/invoices/surplus-repository';
import { creditSurplus } from '@/lib/reconciliation/credit-surplus';
import { proveBalance } from '@/lib/reconciliation/prove-balance';
import { reconcile } from '@/lib/reconciliation/reconcile';
import { addSeconds, systemClock } from '@/lib/shared/time';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeInvoice, makePool, makeUser } from '@/testing/factories';
import { paymentOf } from '@/testing/made-chain';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;
const FINALITY = 3;
/** The last block in which a payment is in time, by the invoice's end and the chain's grace. */
const IN_TIME_BLOCKS = 20;

let database: TestDatabase;
let owner: Database;
let db: Database;
let web: Database;
let dispatcher: Database;
let chain: MemoryChain;
let node: MemoryNode;
let watcher: ChainWatcher;
let invoice: MadeInvoice;
let userId: number;
let address: string;
/** Transactions that no scan shows, like what comes through a contract. */
const hidden = new Set<string>();

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  stubWebEnvironment(database.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  const open = (role: 'watcher' | 'web' | 'dispatcher') =>
    openDatabase(database.roleUrl(role), { max: 3, applicationName: `test-missed-${role}` });
  [db, web, dispatcher] = [open('watcher'), open('web'), open('dispatcher')];
});
afterAll(async () => {
  await Promise.all([db, web, dispatcher].map(closeDatabase));
  await database.drop();
  vi.unstubAllEnvs();
});
afterEach(() => watcher.close());

beforeEach(async () => {
  await emptyTables(owner.pool);
  hidden.clear();
  await makePool(owner.pool, { count: 2 });
  await owner.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
  chain = new MemoryChain({ seed: 'missed', startsAt: addSeconds(new Date(), -36_000), height: 10 });
  node = new MemoryNode({ chain, finalityDepth: FINALITY });
  const scan = node.scan.bind(node);
  node.scan = async (...asked) =>
    (await scan(...asked)).map((block) => ({
      ...block,
      transfers: block.transfers.filter(({ txHash }) => !hidden.has(txHash)),
    }));
  watcher = new ChainWatcher({
    db,
    reader: node,
    settings: { confirmation: { kind: 'count', blocks: 2 }, isDevnet: false, pollMs: 0 },
    traits: chainDefinition('ethereum').traits,
    drain: () => drainSettlements(db, 'ethereum', systemClock),
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  });
  await watcher.tick();
  userId = (await makeUser(owner.pool)).id;
  const expiresAt = addSeconds(chain.tip.time, 12 * (IN_TIME_BLOCKS - 5));
  invoice = await makeInvoice(owner.pool, { userId, dueUnits: DUE, expiresAt });
  address = (await owner.pool.query('SELECT address FROM wallet WHERE id = $1', [invoice.walletId])).rows[0]?.address;
});

/** Money that comes in the next block, unseen. @returns its block */
function missed(amountUnits = DUE): bigint {
  hidden.add(chain.send({ to: address, amountUnits }).txHash);
  chain.mine();
  return BigInt(chain.height);
}

/** Lets so many blocks pass, and reads them. */
async function pass(blocks: number): Promise<void> {
  chain.mine(blocks);
  await watcher.tick();
}

const order = { operator: 'giulia', note: 'contratto', txHash: null, at: new Date() };
async function prove(arrivedIn: bigint | null = null): Promise<ProvenBalance> {
  const poolAddressId = BigInt(invoice.poolAddressId);
  return proveBalance(owner, node, { coin: 'ETH', address, poolAddressId, arrivedIn });
}
const credit = async (arrivedIn: bigint | null = null) => creditSurplus(owner, await prove(arrivedIn), order);

const status = async () =>
  (await owner.pool.query('SELECT status, payment_state AS state FROM invoice')).rows.map(({ status, state }) => [
    status,
    state,
  ])[0];
const events = async () =>
  (await owner.pool.query('SELECT to_status FROM invoice_event ORDER BY id')).rows.map(({ to_status }) => to_status);
const balance = async () =>
  BigInt(
    (await owner.pool.query("SELECT coalesce(sum(balance), 0) AS b FROM ledger_account WHERE kind = 'wallet'")).rows[0]
      ?.b,
  );
/** Units of what counts, by kind. */
async function deposits(): Promise<[string, bigint][]> {
  const { rows } = await owner.pool.query(
    'SELECT kind, amount_units AS units FROM deposit WHERE orphaned_at IS NULL ORDER BY kind, id',
  );
  return rows.map(({ kind, units }) => [kind, units]);
}
const compare = () =>
  reconcile(dispatcher, 'ETH', node, {
    clock: systemClock,
    signal: new AbortController().signal,
    addresses: { budget: 100 },
    closedDays: null,
    withUnpriced: true,
  });

/** Has a rescan worked off and tells what became of it. */
async function rescan(from: bigint, to: bigint | null = null): Promise<RescanRow> {
  const asked = await insertRescan(owner.pool, {
    chain: 'ethereum',
    fromHeight: from,
    toHeight: to,
    operator: 'giulia',
  });
  if (!asked) throw new Error('nothing to read again');
  await watcher.tick();
  return findRescan(owner.pool, asked.id);
}

describe('reading again', () => {
  test('brings in what was missed: it settles, is booked, and is counted once however often it is asked for', async () => {
    const height = missed();
    await pass(5);
    expect(await status()).toEqual(['pending', 'unpaid']);
    hidden.clear();
    const cursor = (await owner.pool.query('SELECT height, hash FROM chain_cursor')).rows;
    expect(await rescan(height - 2n)).toMatchObject({
      fromHeight: height - 2n,
      toHeight: BigInt(chain.height),
      foundDeposits: 1,
      lastError: null,
      finishedAt: expect.any(Date),
    });
    expect((await owner.pool.query('SELECT height, hash FROM chain_cursor')).rows).toEqual(cursor);
    expect(await status()).toEqual(['paid', 'settled']);
    expect(await balance()).toBe(DUE);
    expect(await rescan(0n)).toMatchObject({ foundDeposits: 0 });
    expect(await balance()).toBe(DUE);
    expect(await events()).toEqual(['paid']);
    expect((await owner.pool.query('SELECT operator FROM rescan')).rows).toEqual([
      { operator: 'giulia' },
      { operator: 'giulia' },
    ]);
  });

  test('counts what was missed by the time of its block', async () => {
    const height = missed();
    await pass(40);
    await owner.pool.query("UPDATE invoice SET status = 'expired'");
    hidden.clear();
    await rescan(height, height);
    expect(await status()).toEqual(['paid', 'settled']);
  });

  test('takes nothing from a node that is on another branch, says so, and goes on when it is back', async () => {
    const height = missed();
    await pass(5);
    hidden.clear();
    const honest = node.scan.bind(node);
    node.scan = async (from, ...rest) =>
      (await honest(from, ...rest)).map((block) => (from <= height ? { ...block, hash: `${block.hash}b` } : block));
    const { id, lastError } = await rescan(height, height);
    expect(lastError).toContain(`block ${height} is not the one that was read`);
    expect(await deposits()).toEqual([]);
    node.scan = honest;
    await watcher.close();
    await watcher.tick();
    expect(await findRescan(owner.pool, id)).toMatchObject({ foundDeposits: 1, lastError: null });
  });

  test('never holds up the reading of new blocks', async () => {
    const height = missed();
    await pass(5);
    hidden.clear();
    const honest = node.scan.bind(node);
    node.scan = async (from, ...rest) => {
      if (from <= height) throw new ChainError('missing_block', 'pruned');
      return honest(from, ...rest);
    };
    expect(await rescan(height)).toMatchObject({ lastError: 'pruned', nextHeight: height });
    await pass(7);
    await watcher.close();
    expect(await rescan(height + 1n)).toMatchObject({ finishedAt: expect.any(Date) });
    expect((await owner.pool.query('SELECT height FROM chain_cursor')).rows).toEqual([
      { height: BigInt(chain.height) },
    ]);
  });

  test('is not asked for of blocks that were not read', async () => {
    const request = { chain: 'ethereum', toHeight: null, operator: 'giulia' } as const;
    expect(await insertRescan(owner.pool, { ...request, fromHeight: 11n })).toBeNull();
    expect(await insertRescan(owner.pool, { ...request, fromHeight: 9n, toHeight: 8n })).toBeNull();
    expect(await insertRescan(owner.pool, { ...request, fromHeight: 9n, toHeight: 99n })).toMatchObject({
      toHeight: 10n,
    });
  });
});

describe('money that no scan can see', () => {
  test('is told to its merchant once, and shown, until it is brought in', async () => {
    missed();
    await pass(5);
    const told = async () => {
      expect((await compare()).differenceCount).toBe(1);
      return announceSurpluses(dispatcher, 'ETH', systemClock);
    };
    expect(await told()).toEqual([invoice.uuid]);
    expect(await told()).toEqual([]);
    expect(await getInvoice(web, userId, invoice.uuid, systemClock)).toMatchObject({ unexplained: '0.01000000' });
    missed(DUE);
    await pass(5);
    expect(await told()).toEqual([invoice.uuid]);
    const mails = await owner.pool.query(
      'SELECT kind, type FROM outgoing_mail m JOIN invoice_event e ON e.id = m.event_id',
    );
    expect(mails.rows).toEqual(Array(2).fill({ kind: 'misfit', type: 'invoice.unexplained' }));
    await credit();
    expect(await getInvoice(web, userId, invoice.uuid, systemClock)).toMatchObject({ unexplained: null });
    await pass(1);
    expect((await compare()).differenceCount).toBe(0);
    expect(await getInvoice(web, userId, invoice.uuid, systemClock)).toMatchObject({ unexplained: null });
  });

  test('is not told of when it is dust', async () => {
    missed(1n);
    await pass(5);
    await compare();
    expect(await announceSurpluses(dispatcher, 'ETH', systemClock)).toEqual([]);
    expect(await noteSurplus(dispatcher.pool, invoice.id, new Date())).toBe(false);
  });

  test('becomes a deposit by an operator’s act, with its proof, and settles like any other', async () => {
    missed();
    await pass(5);
    expect(await credit()).toBe(DUE);
    expect(await balance()).toBe(DUE);
    await watcher.tick();
    expect(await status()).toEqual(['paid', 'settled']);
    expect(await credit()).toBe(0n);
    expect((await auditBookings(owner.pool, 'ETH')).count).toBe(0);
    const { rows } = await owner.pool.query(
      `SELECT operator, note, c.height, balance_units, expected_units, block_height FROM deposit_credit c
       JOIN deposit d ON d.id = deposit_id`,
    );
    const height = BigInt(chain.height - FINALITY);
    expect(rows).toEqual([
      { operator: 'giulia', note: 'contratto', height, balance_units: DUE, expected_units: 0n, block_height: height },
    ]);
  });

  test('is not credited before it is final', async () => {
    await pass(FINALITY);
    missed();
    await pass(1);
    expect(await credit()).toBe(0n);
  });

  test('is in time when the node proves the block in which it came, and never earlier than what is proved', async () => {
    const height = missed();
    await pass(40);
    expect(await credit(height - 1n)).toBe(0n);
    expect(await credit(height + 1n)).toBe(0n);
    await expect(credit(BigInt(chain.height))).rejects.toThrow('the last that is final');
    expect(await credit(height)).toBe(DUE);
    await watcher.tick();
    expect(await status()).toEqual(['paid', 'settled']);
  });

  test('is late when nobody proves that it came earlier', async () => {
    missed();
    await pass(40);
    await owner.pool.query("UPDATE invoice SET status = 'expired'");
    expect(await credit()).toBe(DUE);
    await watcher.tick();
    expect(await status()).toEqual(['expired', 'late']);
  });

  test('is credited once by two operators at the same time, whatever block each looked at', async () => {
    missed();
    await pass(5);
    const first = await prove();
    await pass(3);
    const second = await prove();
    const credited = await Promise.all([second, first].map((proven) => creditSurplus(owner, proven, order)));
    expect(credited.reduce((sum, units) => sum + units)).toBe(DUE);
    expect(await balance()).toBe(DUE);
  });

  test.each([20, 700])(
    'is not believed of a node that makes it up in a block that was read %i blocks ago',
    async (blocks) => {
      await pass(blocks);
      const made = { ...paymentOf('0xmadeup', address, DUE), from: `0x${'22'.repeat(20)}` };
      const honest = node.scan.bind(node);
      node.scan = async (...asked) =>
        (await honest(...asked)).map((block) => (block.height === 15n ? { ...block, transfers: [made] } : block));
      expect(await rescan(15n, 15n)).toMatchObject({
        foundDeposits: 0,
        finishedAt: null,
        lastError: expect.stringContaining('holds less than was found on it'),
      });
      expect([await status(), await deposits(), await balance()]).toEqual([['pending', 'unpaid'], [], 0n]);
    },
  );

  test('counts when a rescan finds it in a block that is no longer kept', async () => {
    const height = missed();
    await pass(700);
    hidden.clear();
    expect(await rescan(height, height)).toMatchObject({ foundDeposits: 1, lastError: null });
    expect([await deposits(), await balance()]).toEqual([[['payment', DUE]], DUE]);
  });

  describe('that an operator gave to a wallet', () => {
    /** Money comes unseen to an address that is nobody's, is credited, and given to the invoice. @returns its transactions' block */
    async function given(...amounts: bigint[]): Promise<{ height: bigint; hashes: string[] }> {
      const { rows: free } = await owner.pool.query(
        'SELECT id, address FROM pool_address p WHERE NOT EXISTS (SELECT 1 FROM wallet WHERE pool_address_id = p.id) ORDER BY id',
      );
      const to: string = free[0]?.address;
      const hashes = amounts.map((amountUnits) => chain.send({ to, amountUnits }).txHash);
      for (const hash of hashes) hidden.add(hash);
      chain.mine();
      const height = BigInt(chain.height);
      await pass(5);
      const asked = { coin: 'ETH' as const, address: to, poolAddressId: BigInt(free[0]?.id), arrivedIn: null };
      expect(await creditSurplus(owner, await proveBalance(owner, node, asked), order)).toBe(DUE);
      const { rows: credits } = await owner.pool.query("SELECT id::text FROM deposit WHERE kind = 'credit'");
      await attachDeposit(web, { depositId: credits[0]?.id, target: invoice.uuid, operator: 'anna', note: 'cliente' });
      await watcher.tick();
      expect(await status()).toEqual(['paid', 'settled']);
      return { height, hashes };
    }
    const owners = async () =>
      (
        await owner.pool.query(
          `SELECT kind, amount_units AS units, d.wallet_id AS wallet, a.operator, a.note FROM deposit d
           LEFT JOIN deposit_attribution a ON a.deposit_id = d.id WHERE orphaned_at IS NULL ORDER BY d.kind, d.id`,
        )
      ).rows;
    const mine = (kind: string, units: bigint) => ({
      ...{ kind, units, wallet: invoice.walletId },
      ...{ operator: 'anna', note: 'cliente' },
    });

    test('is still there when a rescan finds what it was', async () => {
      const { height } = await given(DUE);
      hidden.clear();
      expect(await rescan(height, height)).toMatchObject({ foundDeposits: 1, lastError: null });
      expect(await owners()).toEqual([mine('payment', DUE)]);
      await watcher.tick();
      expect([await status(), await balance(), await events()]).toEqual([['paid', 'settled'], DUE, ['paid']]);
      expect((await auditBookings(owner.pool, 'ETH')).count).toBe(0);
      expect((await compare()).differenceCount).toBe(0);
    });

    test('is dated by its first booking, whatever takes its place', async () => {
      const { height } = await given(DUE);
      await owner.pool.query("UPDATE deposit SET first_posted_at = '2026-01-01'");
      hidden.clear();
      await rescan(height, height);
      const { rows } = await owner.pool.query('SELECT first_posted_at AS at FROM deposit WHERE orphaned_at IS NULL');
      expect(rows).toEqual([{ at: new Date('2026-01-01') }]);
    });

    test('is still there, and so is the rest of it with its audit line, when a rescan finds a part', async () => {
      const rest = (DUE * 3n) / 4n;
      const { height, hashes } = await given(DUE / 4n, rest);
      hidden.delete(hashes[0] ?? '');
      expect(await rescan(height, height)).toMatchObject({ foundDeposits: 1, lastError: null });
      expect(await owners()).toEqual([mine('payment', DUE / 4n), mine('credit', rest)]);
      const { rows } = await owner.pool.query(
        `SELECT operator FROM deposit_credit c JOIN deposit d ON d.id = c.deposit_id AND d.orphaned_at IS NULL`,
      );
      expect(rows).toEqual([{ operator: 'giulia' }]);
      await watcher.tick();
      expect([await status(), await balance()]).toEqual([['paid', 'settled'], DUE]);
    });
  });

  test('that was proved in its block is not taken for another payment of before it, which counts beside it', async () => {
    const plain = chain.send({ to: address, amountUnits: DUE / 4n });
    hidden.add(plain.txHash);
    chain.mine();
    const first = BigInt(chain.height);
    const height = missed();
    await pass(5);
    expect(await credit(height)).toBe(DUE);
    hidden.delete(plain.txHash);
    expect(await rescan(first, first)).toMatchObject({ foundDeposits: 1, lastError: null });
    expect(await deposits()).toEqual([
      ['payment', DUE / 4n],
      ['credit', DUE],
    ]);
    expect(await balance()).toBe(DUE + DUE / 4n);
    expect((await compare()).differenceCount).toBe(0);
  });

  test('counts once when a rescan finds it after all, and the invoice stays paid all the while', async () => {
    const seen = chain.send({ to: address, amountUnits: DUE / 4n });
    hidden.add(seen.txHash);
    const height = missed((DUE * 3n) / 4n);
    await pass(5);
    expect(await credit()).toBe(DUE);
    await watcher.tick();
    expect(await status()).toEqual(['paid', 'settled']);
    hidden.delete(seen.txHash);
    expect(await rescan(height)).toMatchObject({ foundDeposits: 1 });
    expect(await deposits()).toEqual([
      ['payment', DUE / 4n],
      ['credit', (DUE * 3n) / 4n],
    ]);
    expect(await balance()).toBe(DUE);
    hidden.clear();
    expect(await rescan(height)).toMatchObject({ foundDeposits: 1 });
    expect(await deposits()).toEqual([
      ['payment', DUE / 4n],
      ['payment', (DUE * 3n) / 4n],
    ]);
    expect([await status(), await events(), await balance()]).toEqual([['paid', 'settled'], ['paid'], DUE]);
    expect((await auditBookings(owner.pool, 'ETH')).count).toBe(0);
    await pass(1);
    expect((await compare()).differenceCount).toBe(0);
  });
});
