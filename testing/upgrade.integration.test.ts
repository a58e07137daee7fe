import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { noteHead, noteProgress } from '@/lib/chain-sync/cursor-repository';
import { takeLease } from '@/lib/chain-sync/lease-keeper';
import { recordBlocks } from '@/lib/chain-sync/record-blocks';
import { WatchedAddresses } from '@/lib/chain-sync/watched-addresses';
import type { Role } from '@/lib/config/roles';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { attachDeposit } from '@/lib/deposits/unattributed';
import { createInvoice } from '@/lib/invoices/create-invoice';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { auditBooks } from '@/lib/reconciliation/audit-books';
import { createPrimaryWallet } from '@/lib/wallets/create-primary-wallet';
import { replenishPool } from '@/lib/wallets/replenish-pool';
import { runTool } from '@/starter/processes/run-tool';
import { catalogue, everything, type Rows, sorted } from './database-contents';
import { makeRate } from './factories';
import { readHoldings } from './ledger-entries';
import { blockHash, makeBlocks } from './made-chain';
import { createPreviousRelease, FIRST_NEW_MIGRATION, migrate, upgraded } from './previous-release';
import { stubWebEnvironment } from './stub-web-environment';
import { createTestDatabase, type TestDatabase } from './test-database';

const root = path.resolve(import.meta.dirname, '..');

describe('an instance of the previous release', () => {
  let database: TestDatabase;
  let before: Rows;
  const open: Database[] = [];
  const as = (role: Role): Database => {
    const db = openDatabase(database.roleUrl(role), { max: 3, applicationName: `upgraded-${role}` });
    open.push(db);
    return db;
  };

  beforeAll(async () => {
    database = await createPreviousRelease();
    before = await everything(database.db.pool);
    await migrate(database);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(open.map(closeDatabase));
    await database.drop();
    vi.unstubAllEnvs();
  });

  test('has a row in every table before, and keeps every one of them with its numbers and ids under its chain', async () => {
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    const after = await everything(database.db.pool);
    expect(sorted(after)).toEqual(sorted(upgraded(before, after)));
  });

  test('has the schema of a new one', async () => {
    const fresh = await createTestDatabase();
    try {
      expect(await catalogue(database.db.pool)).toEqual(await catalogue(fresh.db.pool));
    } finally {
      await fresh.drop();
    }
  });

  test('signs nobody out: an open session begins to be idle with the upgrade', async () => {
    const { rows } = await database.db.pool.query<{ last_seen_at: Date }>('SELECT last_seen_at FROM session');
    expect(rows).toHaveLength(1);
    expect(Date.now() - Number(rows[0]?.last_seen_at)).toBeLessThan(120_000);
  });

  test('has books that agree, as the dispatcher sees them', async () => {
    const audit = await auditBooks(as('dispatcher'), {
      coin: 'ETH',
      closedSince: null,
      withUnpriced: true,
      now: new Date('2026-11-18T11:27:00Z'),
      signal: new AbortController().signal,
    });
    expect(audit).toMatchObject({ findings: { listed: [] }, invoiceCount: 4, lateInvoiceCount: 1 });
    expect(audit.backlog.settlementCount).toBe(1);
  });

  test('has a ledger that says where its money lies and whose it is', async () => {
    const holdings = await readHoldings(database.db.pool);
    const shown = holdings.map(({ kind, walletId, poolAddressId, units, balance }) => [
      `${kind} ${walletId ?? poolAddressId ?? ''}`.trim(),
      units,
      balance,
    ]);
    expect(shown).toEqual([
      ['wallet 2', 10n ** 16n, 10n ** 16n],
      ['unattributed', 3n * 10n ** 15n, 0n],
      ['wallet 4', 5n * 10n ** 15n, 5n * 10n ** 15n],
      ['custody 2', 10n ** 16n, 0n],
      ['custody 4', 5n * 10n ** 15n, 0n],
      ['custody 5', 3n * 10n ** 15n, 0n],
    ]);
  });

  test('goes on where it was: the next block confirms what waited and settles it, once', async () => {
    const watcher = as('watcher');
    const statusOf = async () =>
      (await database.db.pool.query('SELECT status, payment_state FROM invoice WHERE id = 2')).rows[0];
    const clock = () => new Date('2026-11-18T11:27:00Z');
    expect(await drainSettlements(watcher, 'ethereum', clock)).toHaveLength(1);
    expect(await statusOf()).toEqual({ status: 'pending', payment_state: 'confirming' });

    const lease = await takeLease(watcher, { chain: 'ethereum', owner: 'new', ttlMs: 60_000, confirmations: 2 });
    expect(lease?.token).toBe(42n);
    if (!lease) return;
    const head = { height: 101n, hash: blockHash('a', 101), time: new Date(), finalizedHeight: 37n };
    const { lookedAt } = await noteHead(watcher.pool, lease, head, 'EVM');
    await noteProgress(watcher.pool, lease, { unreadSince: null, followedUntil: lookedAt });
    const addresses = new WatchedAddresses(watcher, lease);
    await addresses.load();
    expect(addresses.ids.size).toBe(7);
    const recording = {
      rule: { kind: 'count', blocks: 2 },
      traits: { keptBlocks: 512, transferKey: 'transaction' },
    } as const;
    const run = {
      ...recording,
      head,
      blocks: makeBlocks(101, 101),
      watched: addresses.ids,
      seenAt: clock(),
      toleratedAheadSeconds: null,
    };
    expect(await recordBlocks(watcher, lease, run)).toEqual({ kind: 'recorded', queuedWallets: 1 });
    expect(await drainSettlements(watcher, 'ethereum', clock)).toHaveLength(1);
    expect(await statusOf()).toEqual({ status: 'paid', payment_state: 'settled' });
    const { rows } = await database.db.pool.query(
      `SELECT balance FROM ledger_account WHERE wallet_id = 3 AND kind = 'wallet'`,
    );
    expect(rows).toEqual([{ balance: 10n ** 16n }]);
  });

  test('lets its merchant go on: money of nobody gets its owner, and free addresses become wallets', async () => {
    stubWebEnvironment(database.roleUrl('web'), { INCASSA_MODE: 'embedded', ETH_RPC_URL: 'http://127.0.0.1:1' });
    await makeRate(database.db.pool);
    const web = as('web');
    await attachDeposit(web, { depositId: '2', target: '3', operator: 'anna', note: null });
    const clock = () => new Date();
    const body = CreateInvoiceBody.parse({ description: 'Borsa', amountEuro: 31.18, cryptoType: 'ETH' });
    const invoice = await createInvoice(web, { userId: 1, apiKeyId: 1 }, body, clock);
    // The address below it received money before anybody had it.
    expect(invoice.wallet?.address.toLowerCase()).toBe('0xa7580f28d5304b55594cfc1907f36d91b3d77ce5');
    const primary = await createPrimaryWallet(web, 2, 'ETH', clock);
    expect(primary.address.toLowerCase()).toBe('0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
  });

  test('derives further addresses from the same keys, from where it stopped', async () => {
    await replenishPool(as('dispatcher'), 10);
    const { rows } = await database.db.pool.query(
      `SELECT derivation_index, address FROM pool_address WHERE purpose = 'invoice' AND derivation_index IN (5, 6) ORDER BY 1`,
    );
    expect(rows).toEqual([
      { derivation_index: 5, address: '0x434b1afe11ab901537048e83e21b7044c1beea27' },
      { derivation_index: 6, address: '0x3b0cc9b77dfa0b346da482b70cab774418c0fb00' },
    ]);
    const keys = await as('signer').pool.query(
      'SELECT count(*)::int AS keys, (SELECT count(id)::int FROM user_account) AS merchants FROM watch_key',
    );
    expect(keys.rows).toEqual([{ keys: 2, merchants: 2 }]);
  });
});

test('an empty database becomes one of this release, and a second migration changes nothing', async () => {
  const [empty, fresh] = [await createTestDatabase({ template: 'template1' }), await createTestDatabase()];
  try {
    await migrate(empty);
    const first = await catalogue(empty.db.pool);
    expect(first).toEqual(await catalogue(fresh.db.pool));
    await migrate(empty);
    expect(await catalogue(empty.db.pool)).toEqual(first);
  } finally {
    await Promise.all([empty.drop(), fresh.drop()]);
  }
}, 120_000);

test('an upgrade that is cut off in the middle leaves the previous release whole, and can be done again', async () => {
  const database = await createPreviousRelease();
  const { pool } = database.db;
  const holder = await pool.connect();
  try {
    const [rows, schema] = [await everything(pool), await catalogue(pool)];
    await holder.query('BEGIN; LOCK TABLE pool_address IN ACCESS SHARE MODE');
    const cut = migrate(database).then(
      () => 'done',
      (error: Error) => error.message,
    );
    // By then the migration has moved cursor, deposits and invoices.
    await vi.waitFor(
      async () => {
        const { rows: ended } = await pool.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
           WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%chain_of_coin%'`,
        );
        expect(ended).toHaveLength(1);
      },
      { timeout: 60_000, interval: 100 },
    );
    expect(await cut).toContain('The migration failed');
    await holder.query('ROLLBACK');
    expect(await catalogue(pool)).toEqual(schema);
    expect(await everything(pool)).toEqual(rows);

    await runTool({
      name: 'prisma migrate resolve',
      root,
      program: ['node_modules/prisma/build/index.js', 'migrate', 'resolve', '--rolled-back', FIRST_NEW_MIGRATION],
      env: { NODE_ENV: 'test', DATABASE_URL: database.url },
    });
    await migrate(database);
    const after = await everything(pool);
    expect(sorted(after)).toEqual(sorted(upgraded(rows, after)));
  } finally {
    holder.release(true);
    await database.drop();
  }
}, 180_000);
