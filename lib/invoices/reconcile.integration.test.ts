import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import multicall3 from '@/devnet/ethereum/multicall3.json';
import { EvmAdapter } from '@/lib/chains/evm/adapter';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { attachDeposit } from '@/lib/deposits/attach-deposit';
import { systemClock } from '@/lib/shared/time';
import { type Anvil, startAnvil } from '@/lib/testing/anvil';
import { emptyTables } from '@/lib/testing/empty-tables';
import { type MadeInvoice, makeInvoice, makePool, makeUser } from '@/lib/testing/factories';
import { answering, startScriptedNode } from '@/lib/testing/scripted-node';
import { createTestDatabase, type TestDatabase } from '@/lib/testing/test-database';
import { CoinWatcher } from '@/workers/watcher/coin-watcher';
import { drainSettlements } from './drain-settlements';
import { type ReconcileOptions, reconcile } from './reconcile';

const DUE = 10n ** 16n;
const CHAIN_ID = 31337;
/** Passes what it gets on to the address in its call data, by an internal transfer. */
const FORWARDER = '0x00000000000000000000000000000000000f0001';
const FORWARDER_CODE = '0x6000808080346000355af100';

let database: TestDatabase;
let owner: Database;
/** The dispatcher's login: what it may not read fails here. */
let db: Database;
let anvil: Anvil;
let payer: string;
/** Watched, and nobody has it. */
let free: string;
const watchers: CoinWatcher[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  owner = database.db;
  db = openDatabase(database.roleUrl('dispatcher'), { max: 4, applicationName: 'test-reconcile' });
});
afterAll(async () => {
  await closeDatabase(db);
  await database.drop();
});
beforeEach(async () => {
  await emptyTables(owner.pool);
  await owner.pool.query('TRUNCATE reconciliation');
  free = (await makePool(owner.pool, { count: 20 }))[19] ?? '';
  await owner.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
  anvil = await startAnvil(['--slots-in-an-epoch', '2']);
  await anvil.rpc('anvil_setCode', [multicall3.address, multicall3.runtimeBytecode]);
  await anvil.rpc('anvil_setCode', [FORWARDER, FORWARDER_CODE]);
  payer = ((await anvil.rpc('eth_accounts')) as string[])[0] ?? '';
});
afterEach(async () => {
  await Promise.all(watchers.splice(0).map((watcher) => watcher.close()));
  await anvil.stop();
});

function watch({
  isDevnet = false,
  drain = (coin: 'ETH') => drainSettlements(owner, coin, systemClock) as Promise<unknown>,
} = {}) {
  const watcher = new CoinWatcher({
    db: owner,
    adapter: new EvmAdapter({ coin: 'ETH', url: anvil.url, chainId: CHAIN_ID }),
    settings: { confirmations: 2, isDevnet, pollMs: 0 },
    drain: () => drain('ETH'),
    signal: new AbortController().signal,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
    leaseTtlMs: 5_000,
  });
  watchers.push(watcher);
  return watcher;
}

/** An invoice on a watched address of its own. */
async function invoiced(watcher: CoinWatcher): Promise<MadeInvoice & { address: string }> {
  await watcher.tick();
  const { id } = await makeUser(owner.pool);
  const invoice = await makeInvoice(owner.pool, { userId: id, dueUnits: DUE });
  const { rows } = await owner.pool.query<{ address: string }>('SELECT address FROM wallet WHERE id = $1', [
    invoice.walletId,
  ]);
  return { ...invoice, address: rows[0]?.address ?? '' };
}

const hex = (value: bigint) => `0x${value.toString(16)}`;

async function pay(to: string, value: bigint, data = '0x'): Promise<void> {
  const hash = await anvil.rpc('eth_sendTransaction', [{ from: payer, to, value: hex(value), gas: '0x30000', data }]);
  await vi.waitFor(async () => expect(await anvil.rpc('eth_getTransactionReceipt', [hash])).not.toBeNull());
}

/** Mines until everything so far is final. */
async function finalize(watcher: CoinWatcher): Promise<void> {
  await anvil.rpc('anvil_mine', ['0x8']);
  await watcher.tick();
}

const run = (options: Partial<ReconcileOptions> = {}, url = anvil.url) =>
  reconcile(db, new EvmAdapter({ coin: 'ETH', url, chainId: CHAIN_ID, timeoutMs: 2_000 }), {
    clock: systemClock,
    signal: new AbortController().signal,
    addresses: 'all',
    closedDays: null,
    withUnpriced: true,
    ...options,
  });

const statusOf = async ({ id }: MadeInvoice) =>
  (await owner.pool.query('SELECT status FROM invoice WHERE id = $1', [id])).rows[0]?.status;

/** Changes what the product never changes: triggers do not run. */
async function tamper(statement: string, values: unknown[] = []): Promise<void> {
  const client = await owner.pool.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    await client.query(statement, values);
  } finally {
    await client.query("SET session_replication_role = 'origin'");
    client.release();
  }
}

describe('what agrees', () => {
  test('paid, partly paid and unpaid invoices and money of nobody are all explained', async () => {
    const watcher = watch();
    const [paid, partial] = [await invoiced(watcher), await invoiced(watcher)];
    await invoiced(watcher);
    await pay(paid.address, DUE);
    await pay(partial.address, DUE / 2n);
    await pay(free, 5n);
    await finalize(watcher);
    const height = BigInt(String(await anvil.rpc('eth_blockNumber'))) - 4n;
    expect(await statusOf(paid)).toBe('paid');
    expect(await run()).toMatchObject({
      coin: 'ETH',
      height,
      notCompared: null,
      invoiceCount: 3,
      onChainUnits: DUE + DUE / 2n + 5n,
      completeness: 1,
      timelinessSeconds: 0,
      settlementBacklog: 0,
      lateInvoiceCount: 0,
      differenceCount: 0,
      inFlightCount: 0,
    });
  });

  test('money that is not final, or not confirmed, is in flight and no difference', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await finalize(watcher);
    await pay(invoice.address, 3n);
    await anvil.rpc('evm_mine');
    await pay(invoice.address, 4n);
    await watcher.tick();
    const report = await run();
    expect(report).toMatchObject({ differenceCount: 0, onChainUnits: 0n, inFlightUnits: 7n, inFlightCount: 2 });
    expect(report.inFlight.map(({ state, amountUnits }) => [state, amountUnits])).toEqual([
      ['unconfirmed', 4n],
      ['not_final', 3n],
    ]);
  });

  test('a settlement that is queued is late work and no difference, and its age is told', async () => {
    const watcher = watch({ drain: async () => undefined });
    const invoice = await invoiced(watcher);
    await pay(invoice.address, DUE);
    await finalize(watcher);
    await owner.pool.query("UPDATE settlement_task SET created_at = now() - interval '90 seconds'");
    const report = await run();
    expect(report).toMatchObject({ differenceCount: 0, lateInvoiceCount: 1 });
    expect(report.settlementBacklog).toBeGreaterThan(0);
    expect(report.timelinessSeconds).toBeGreaterThanOrEqual(90);
    await drainSettlements(owner, 'ETH', systemClock);
    expect(await run()).toMatchObject({ differenceCount: 0, lateInvoiceCount: 0, timelinessSeconds: 0 });
  });

  test('[B1] after a reorg that took a payment, and after its return, everything agrees', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await anvil.rpc('anvil_mine', ['0x6']);
    const raw = await anvil.rpc('eth_signTransaction', [
      { from: payer, to: invoice.address, value: hex(DUE), gas: '0x5208', gasPrice: hex(3_000_000_000n), nonce: '0x0' },
    ]);
    await anvil.rpc('eth_sendRawTransaction', [raw]);
    await anvil.rpc('anvil_mine', ['0x2']);
    await watcher.tick();
    expect(await statusOf(invoice)).toBe('paid');
    await anvil.rpc('anvil_reorg', [3, []]);
    await watcher.tick();
    expect(await statusOf(invoice)).toBe('pending');
    expect(await run()).toMatchObject({ differenceCount: 0, onChainUnits: 0n, inFlightCount: 0 });
    await anvil.rpc('eth_sendRawTransaction', [raw]);
    await finalize(watcher);
    expect(await statusOf(invoice)).toBe('paid');
    expect(await run()).toMatchObject({ differenceCount: 0, onChainUnits: DUE });
  });

  test('money that an operator attached to an invoice agrees', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await pay(free, DUE);
    await finalize(watcher);
    const { rows } = await owner.pool.query<{ id: string }>('SELECT id FROM deposit');
    const depositId = rows[0]?.id ?? '';
    await attachDeposit(owner, { depositId, target: invoice.uuid, operator: 'anna', note: null });
    await drainSettlements(owner, 'ETH', systemClock);
    expect(await run()).toMatchObject({ differenceCount: 0, onChainUnits: DUE });
  });

  test('money of a local chain that was set back is off the books and explained', async () => {
    const watcher = watch({ isDevnet: true });
    const invoice = await invoiced(watcher);
    await pay(invoice.address, DUE);
    await anvil.rpc('anvil_mine', ['0x20']);
    await watcher.tick();
    await anvil.rpc('anvil_rollback', [20]);
    for (let round = 0; round < 4; round += 1) await watcher.tick();
    await finalize(watcher);
    expect((await owner.pool.query('SELECT epoch FROM chain_cursor')).rows).toEqual([{ epoch: 1 }]);
    const report = await run();
    expect(report).toMatchObject({ differenceCount: 0, onChainUnits: DUE, completeness: 1, inFlightUnits: DUE });
    expect(report.inFlight).toEqual([
      { state: 'written_off', address: invoice.address, txHash: null, amountUnits: DUE },
    ]);
  });
});

describe('what does not agree', () => {
  test('[A3] money that came through a contract is found, with the address and the invoice named', async () => {
    const watcher = watch();
    const [invoice, other] = [await invoiced(watcher), await invoiced(watcher)];
    await pay(other.address, DUE);
    await pay(FORWARDER, DUE / 4n, `0x${invoice.address.slice(2).padStart(64, '0')}`);
    await finalize(watcher);
    const report = await run();
    expect(report).toMatchObject({ differenceCount: 1, differenceUnits: DUE / 4n, completeness: 0.8 });
    expect(report.differences).toEqual([
      {
        kind: 'address',
        subject: `address ${invoice.address} of invoice ${invoice.uuid}`,
        expected: '0',
        actual: (DUE / 4n).toString(),
        units: DUE / 4n,
      },
    ]);
  });

  test('[A3] a sample finds it too, within its budget, and keeps looking at it', async () => {
    const watcher = watch();
    const invoices = [];
    for (let count = 0; count < 6; count += 1) invoices.push(await invoiced(watcher));
    const last = invoices.at(-1);
    await pay(FORWARDER, 9n, `0x${last?.address.slice(2).padStart(64, '0')}`);
    await finalize(watcher);
    const counts: number[] = [];
    for (let runs = 0; runs < 5; runs += 1) {
      const report = await run({ addresses: { budget: 4 } });
      expect(report.addressCount).toBeLessThanOrEqual(4);
      counts.push(report.differenceCount);
    }
    expect(counts).toContain(1);
    expect(counts.slice(counts.indexOf(1))).not.toContain(0);
    const { rows } = await owner.pool.query('SELECT difference_count, difference_units FROM reconciliation');
    expect(rows).toEqual([{ difference_count: 1, difference_units: '9' }]);
  });

  test('an address that moved since the last sample is in the next one', async () => {
    const watcher = watch();
    const invoices = [];
    for (let count = 0; count < 6; count += 1) invoices.push(await invoiced(watcher));
    await finalize(watcher);
    await run({ addresses: { budget: 4 } });
    await pay(invoices[5]?.address ?? '', 8n);
    await finalize(watcher);
    expect(await run({ addresses: { budget: 4 } })).toMatchObject({ onChainUnits: 8n, differenceCount: 0 });
  });

  test.each([
    ['a balance', 'UPDATE ledger_account SET balance = balance + 1 WHERE kind = $$wallet$$', 'balance', 1n],
    ['a posting', 'UPDATE ledger_posting SET amount_units = amount_units - 2 WHERE amount_units > 0', 'entry', 2n],
    ['the mark of a booking', 'UPDATE deposit SET posted_at = NULL', 'booking', DUE],
    ['the amount of a deposit', 'UPDATE deposit SET amount_units = amount_units - 7', 'address', 7n],
    ['a deposit, by removing it,', 'DELETE FROM deposit', 'address', DUE],
    ['an entry, by removing it,', 'WITH p AS (DELETE FROM ledger_posting) DELETE FROM ledger_entry', 'booking', DUE],
    [
      'entries, by adding one,',
      "INSERT INTO ledger_entry (key, kind, coin) VALUES ('deposit:4711:1', 'deposit', 'ETH')",
      'entry',
      0n,
    ],
    ['a status', "UPDATE invoice SET status = 'expired'", 'history', 0n],
    ['the amount that was paid', 'UPDATE invoice SET amount_paid_units = amount_paid_units + 3', 'invoice', 3n],
    ['the owner of a deposit', 'UPDATE deposit SET wallet_id = NULL', 'booking', DUE],
  ] as const)('tampering with %s is found', async (_, statement, kind, units) => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await pay(invoice.address, DUE);
    await finalize(watcher);
    expect(await run()).toMatchObject({ differenceCount: 0 });
    await tamper(statement);
    const { differences, differenceCount } = await run();
    expect(differenceCount).toBeGreaterThan(0);
    expect(differences.find((difference) => difference.kind === kind)).toMatchObject({ units });
  });

  test('an invoice that was declared paid without money and without its history is found', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await finalize(watcher);
    const declare = 'UPDATE invoice SET status = $2, paid_at = now() WHERE id = $1';
    await owner.pool.query(declare, [invoice.id, 'forcePaid']);
    expect((await run()).differences).toMatchObject([{ kind: 'history', subject: `invoice ${invoice.uuid}` }]);
    await owner.pool.query(
      `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state)
       VALUES ($1, 1, 'invoice.statusChanged', 'pending', 'paid', 'settled')`,
      [invoice.id],
    );
    await tamper(declare, [invoice.id, 'paid']);
    expect((await run()).differences).toMatchObject([
      { kind: 'invoice', expected: 'status pending', actual: 'status paid' },
    ]);
  });

  test('an invoice without a coin is judged too', async () => {
    const watcher = watch();
    await finalize(watcher);
    const { id } = await makeUser(owner.pool);
    await owner.pool.query(
      `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at, status)
       VALUES ($1, 100, 60, now() - interval '1 minute', 'pending'), ($1, 100, 60, now() - interval '1 hour', 'pending'),
         ($1, 100, 60, now() + interval '1 hour', 'paid')`,
      [id],
    );
    const report = await run();
    expect(report).toMatchObject({ invoiceCount: 3, lateInvoiceCount: 1, differenceCount: 2 });
    expect(report.differences.map(({ kind }) => kind).sort()).toEqual(['history', 'invoice']);
    expect(await run({ withUnpriced: false })).toMatchObject({ invoiceCount: 0, differenceCount: 0 });
  });
});

describe('what cannot be compared', () => {
  test('[B5] a node that is down is told, and the books are proved all the same', async () => {
    const watcher = watch();
    const invoice = await invoiced(watcher);
    await pay(invoice.address, DUE);
    await finalize(watcher);
    await tamper("UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'wallet'");
    const report = await run({}, 'http://127.0.0.1:9');
    expect(report).toMatchObject({ height: null, addressCount: 0 });
    expect(report.notCompared).toContain('127.0.0.1:9 cannot be reached');
    expect(report.differences.map(({ kind }) => kind)).toContain('balance');
  });

  test('[B3] a node on another chain, and a coin that was never read, are told', async () => {
    expect((await run()).notCompared).toBe('Nothing is confirmed on the chain yet.');
    const watcher = watch();
    await invoiced(watcher);
    await finalize(watcher);
    const foreign = await startScriptedNode(
      answering(async (call) => {
        const answer = await anvil.rpc(call.method, call.params);
        const isBlock = call.method === 'eth_getBlockByNumber' && typeof answer === 'object';
        return isBlock ? { ...answer, hash: `0x${'ab'.repeat(32)}` } : answer;
      }),
    );
    try {
      expect((await run({}, foreign.url)).notCompared).toMatch(/is not the one that was read/);
    } finally {
      await foreign.stop();
    }
  });

  test('a comparison that is told to stop does so', async () => {
    await invoiced(watch());
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(run({ signal: stop.signal })).rejects.toThrow('stopped');
  });
});
