import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { attachDeposit } from '@/lib/deposits/unattributed';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import { Findings } from '@/lib/ledger/findings';
import { systemClock } from '@/lib/shared/time';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeUser } from '@/testing/factories';
import { answering, startScriptedNode } from '@/testing/scripted-node';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { startWatchedChain, type WatchedChain } from '@/testing/watched-chain';
import { type ReconcileOptions, reconcile } from './reconcile';
import { selectRunSummaries } from './run-repository';

const DUE = 10n ** 16n;

let database: TestDatabase;
let owner: Database;
/** The dispatcher's login: what it may not read fails here. */
let db: Database;
let chain: WatchedChain;

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
  chain = await startWatchedChain(owner);
});
afterEach(() => chain.stop());

/** Starts anew with other settings. */
async function restart(options: Parameters<typeof startWatchedChain>[1]): Promise<void> {
  await chain.stop();
  await emptyTables(owner.pool);
  chain = await startWatchedChain(owner, options);
}

const run = (options: Partial<ReconcileOptions> = {}, url = chain.anvil.url) =>
  reconcile(db, 'ETH', chain.reader(url), {
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
  const client = new pg.Client({ connectionString: database.superuserUrl });
  await client.connect();
  try {
    await client.query("SET session_replication_role = 'replica'");
    await client.query(statement, values);
  } finally {
    await client.end();
  }
}

describe('what agrees', () => {
  test('paid, partly paid and unpaid invoices and money of nobody are all explained', async () => {
    const [paid, partial] = [await chain.invoice(DUE), await chain.invoice(DUE)];
    await chain.invoice(DUE);
    await chain.pay(paid.address, DUE);
    await chain.pay(partial.address, DUE / 2n);
    await chain.pay(chain.freeAddress, 5n);
    await chain.finalize();
    const height = BigInt(String(await chain.anvil.rpc('eth_blockNumber'))) - 4n;
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
    const invoice = await chain.invoice(DUE);
    await chain.finalize();
    await chain.pay(invoice.address, 3n);
    await chain.anvil.rpc('evm_mine');
    await chain.pay(invoice.address, 4n);
    await chain.read();
    const report = await run();
    expect(report).toMatchObject({ differenceCount: 0, onChainUnits: 0n, inFlightUnits: 7n, inFlightCount: 2 });
    expect(report.inFlight.map(({ state, amountUnits }) => [state, amountUnits])).toEqual([
      ['unconfirmed', 4n],
      ['not_final', 3n],
    ]);
  });

  test('a settlement that is queued is late work and no difference, and its age is told', async () => {
    await restart({ settles: false });
    const invoice = await chain.invoice(DUE);
    await chain.pay(invoice.address, DUE);
    await chain.finalize();
    await owner.pool.query("UPDATE settlement_task SET created_at = now() - interval '90 seconds'");
    const report = await run();
    expect(report).toMatchObject({ differenceCount: 0, lateInvoiceCount: 1 });
    expect(report.settlementBacklog).toBeGreaterThan(0);
    expect(report.timelinessSeconds).toBeGreaterThanOrEqual(90);
    await drainSettlements(owner, 'ethereum', systemClock);
    expect(await run()).toMatchObject({ differenceCount: 0, lateInvoiceCount: 0, timelinessSeconds: 0 });
  });

  test('[B1] after a reorg that took a payment, and after its return, everything agrees', async () => {
    const invoice = await chain.invoice(DUE);
    await chain.anvil.rpc('anvil_mine', ['0x6']);
    const raw = await chain.anvil.rpc('eth_signTransaction', [
      {
        from: chain.payer,
        to: invoice.address,
        value: `0x${DUE.toString(16)}`,
        gas: '0x5208',
        gasPrice: '0xb2d05e00',
        nonce: '0x0',
      },
    ]);
    await chain.anvil.rpc('eth_sendRawTransaction', [raw]);
    await chain.anvil.rpc('anvil_mine', ['0x2']);
    await chain.read();
    expect(await statusOf(invoice)).toBe('paid');
    await chain.anvil.rpc('anvil_reorg', [3, []]);
    await chain.read();
    expect(await statusOf(invoice)).toBe('pending');
    expect(await run()).toMatchObject({ differenceCount: 0, onChainUnits: 0n, inFlightCount: 0 });
    await chain.anvil.rpc('eth_sendRawTransaction', [raw]);
    await chain.finalize();
    expect(await statusOf(invoice)).toBe('paid');
    expect(await run()).toMatchObject({ differenceCount: 0, onChainUnits: DUE });
  });

  test('money that an operator attached to an invoice agrees', async () => {
    const invoice = await chain.invoice(DUE);
    await chain.pay(chain.freeAddress, DUE);
    await chain.finalize();
    const { rows } = await owner.pool.query<{ id: string }>('SELECT id FROM deposit');
    const depositId = rows[0]?.id ?? '';
    await attachDeposit(owner, { depositId, target: invoice.uuid, operator: 'anna', note: null });
    await drainSettlements(owner, 'ethereum', systemClock);
    expect(await run()).toMatchObject({ differenceCount: 0, onChainUnits: DUE });
  });

  test('money of a local chain that was set back is off the books and explained', async () => {
    await restart({ isDevnet: true });
    const invoice = await chain.invoice(DUE);
    await chain.pay(invoice.address, DUE);
    await chain.anvil.rpc('anvil_mine', ['0x20']);
    await chain.read();
    await chain.anvil.rpc('anvil_rollback', [20]);
    for (let round = 0; round < 4; round += 1) await chain.read();
    await chain.finalize();
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
    const [invoice, other] = [await chain.invoice(DUE), await chain.invoice(DUE)];
    await chain.pay(other.address, DUE);
    await chain.payThroughContract(invoice.address, DUE / 4n);
    await chain.finalize();
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
    const invoices = [];
    for (let count = 0; count < 6; count += 1) invoices.push(await chain.invoice(DUE));
    const last = invoices.at(-1);
    await chain.payThroughContract(last?.address ?? '', 9n);
    await chain.finalize();
    const counts: number[] = [];
    for (let runs = 0; runs < 5; runs += 1) {
      const report = await run({ addresses: { budget: 4 } });
      expect(report.addressCount).toBeLessThanOrEqual(4);
      counts.push(report.differenceCount);
    }
    expect(counts).toContain(1);
    expect(counts.slice(counts.indexOf(1))).not.toContain(0);
    const { rows } = await owner.pool.query('SELECT difference_count, difference_units FROM reconciliation');
    expect(rows).toEqual([{ difference_count: 1, difference_units: 9n }]);
  });

  test('what another look found is part of the report, and of what metrics show of the run', async () => {
    await chain.invoice(DUE);
    await chain.finalize();
    const found = new Findings();
    found.add({ kind: 'derivation', subject: 'an address', expected: 'a', actual: 'b', units: 0n });
    const report = await run({ addresses: { budget: 4 }, furtherAudit: async () => found });
    expect(report).toMatchObject({ differenceCount: 1, differences: found.listed });
    const summaries = await selectRunSummaries(db.pool);
    expect(summaries.find(({ coin }) => coin === 'ETH')).toMatchObject({ differenceCount: 1 });
  });

  test('an address that moved since the last sample is in the next one', async () => {
    const invoices = [];
    for (let count = 0; count < 6; count += 1) invoices.push(await chain.invoice(DUE));
    await chain.finalize();
    await run({ addresses: { budget: 4 } });
    await chain.pay(invoices[5]?.address ?? '', 8n);
    await chain.finalize();
    expect(await run({ addresses: { budget: 4 } })).toMatchObject({ onChainUnits: 8n, differenceCount: 0 });
  });

  test.each([
    ['a balance', 'UPDATE ledger_account SET balance = balance + 1 WHERE kind = $$wallet$$', 'balance', 1n],
    [
      'what a posting says of its owner',
      `UPDATE ledger_posting SET amount_units = amount_units - 2 WHERE account_id IN (SELECT id FROM ledger_account WHERE kind = 'wallet')`,
      'entry',
      2n,
    ],
    [
      'what a posting says of its place',
      `UPDATE ledger_posting SET amount_units = amount_units - 2 WHERE account_id IN (SELECT id FROM ledger_account WHERE kind = 'custody')`,
      'address',
      2n,
    ],
    [
      'the address on which money lies',
      'UPDATE ledger_account SET pool_address_id = (SELECT max(id) FROM pool_address) WHERE kind = $$custody$$',
      'address',
      DUE,
    ],
    ['the block of an entry', 'UPDATE ledger_entry SET height = height - 1', 'booking', 0n],
    ['the mark of a booking', 'UPDATE deposit SET posted_at = NULL', 'booking', DUE],
    ['the amount of a deposit', 'UPDATE deposit SET amount_units = amount_units - 7', 'booking', 7n],
    ['a deposit, by removing it,', 'DELETE FROM deposit', 'booking', DUE],
    ['an entry, by removing it,', 'WITH p AS (DELETE FROM ledger_posting) DELETE FROM ledger_entry', 'address', DUE],
    [
      'entries, by adding one,',
      "INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch) VALUES ('deposit', 'ETH', 'deposit', 4711, 1, 0)",
      'entry',
      0n,
    ],
    ['a status', "UPDATE invoice SET status = 'expired'", 'history', 0n],
    ['the amount that was paid', 'UPDATE invoice SET amount_paid_units = amount_paid_units + 3', 'invoice', 3n],
    ['the owner of a deposit', 'UPDATE deposit SET wallet_id = NULL', 'booking', DUE],
    [
      'the owner of a deposit and of its entry',
      `WITH w AS (INSERT INTO wallet (user_id, coin, type, pool_address_id, address)
         SELECT (SELECT min(user_id) FROM wallet), 'ETH', 'primary', max(id), max(address) FROM pool_address RETURNING id),
       d AS (UPDATE deposit SET wallet_id = w.id FROM w)
       UPDATE ledger_account SET wallet_id = w.id FROM w WHERE wallet_id IS NOT NULL`,
      'booking',
      DUE,
    ],
  ] as const)('tampering with %s is found', async (_, statement, kind, units) => {
    const invoice = await chain.invoice(DUE);
    await chain.pay(invoice.address, DUE);
    await chain.finalize();
    expect(await run()).toMatchObject({ differenceCount: 0 });
    await tamper(statement);
    const { differences, differenceCount } = await run();
    expect(differenceCount).toBeGreaterThan(0);
    expect(differences.find((difference) => difference.kind === kind)).toMatchObject({ units });
  });

  test('an invoice that was declared paid without money and without its history is found', async () => {
    const invoice = await chain.invoice(DUE);
    await chain.finalize();
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
    await chain.finalize();
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
    const invoice = await chain.invoice(DUE);
    await chain.pay(invoice.address, DUE);
    await chain.finalize();
    await tamper("UPDATE ledger_account SET balance = balance + 1 WHERE kind = 'wallet'");
    const report = await run({}, 'http://127.0.0.1:9');
    expect(report).toMatchObject({ height: null, addressCount: 0 });
    expect(report.notCompared).toContain('127.0.0.1:9 cannot be reached');
    expect(report.differences.map(({ kind }) => kind)).toContain('balance');
  });

  test('[B3] a node on another chain, and a coin that was never read, are told', async () => {
    expect((await run()).notCompared).toBe('Nothing is confirmed on the chain yet.');
    await chain.invoice(DUE);
    await chain.finalize();
    const foreign = await startScriptedNode(
      answering(async (call) => {
        const answer = await chain.anvil.rpc(call.method, call.params);
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
    await chain.invoice(DUE);
    const stop = new AbortController();
    stop.abort(new Error('stopped'));
    await expect(run({ signal: stop.signal })).rejects.toThrow('stopped');
  });
});
