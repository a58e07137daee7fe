import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { type MadeInvoice, makeCursor, makeDeposit, makeInvoice, makeUser, orphanDeposit } from '@/testing/factories';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { drainSettlements } from './drain-settlements';
import { expireInvoices } from './expire-invoices';
import { getInvoice } from './get-invoice';
import { resolveInvoice } from './resolve-invoice';
import { settleInvoice } from './settle-invoice';

const NOW = new Date('2026-11-27T12:00:00Z');
const clock = () => NOW;
const DUE = 10n ** 16n;

describe('money that does not fit', () => {
  let test: TestDatabase;
  let watcher: Database;
  let web: Database;
  let userId: number;

  beforeAll(async () => {
    test = await createTestDatabase();
    stubWebEnvironment(test.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
    watcher = openDatabase(test.roleUrl('watcher'), { max: 5, applicationName: 'watcher' });
    web = openDatabase(test.roleUrl('web'), { max: 5, applicationName: 'web' });
  });
  afterAll(async () => {
    await Promise.all([closeDatabase(watcher), closeDatabase(web)]);
    await test.drop();
    vi.unstubAllEnvs();
  });
  beforeEach(async () => {
    userId = (await makeUser(test.db.pool)).id;
    await makeCursor(test.db.pool, { time: NOW });
  });

  const drain = () => drainSettlements(watcher, 'ethereum', clock);
  const resolve = (invoice: MadeInvoice, action: 'accept' | 'mark' | 'note', note: string | null = null) =>
    resolveInvoice(web, userId, invoice.uuid, { action, note }, clock);
  const eventsOf = async ({ id }: MadeInvoice) => {
    const { rows } = await test.db.pool.query(
      'SELECT type FROM invoice_event WHERE invoice_id = $1 ORDER BY sequence',
      [id],
    );
    return rows.map((row) => row.type);
  };
  const mailsOf = async ({ uuid }: MadeInvoice) =>
    (await test.db.pool.query('SELECT 1 FROM outgoing_mail WHERE dedupe_key LIKE $1', [`misfit:${uuid}:%`])).rowCount;
  const lateInvoice = async (amountUnits = DUE) => {
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: new Date(NOW.getTime() - 3_600_000) });
    await expireInvoices(watcher, clock);
    await makeDeposit(test.db.pool, { invoice, amountUnits, time: NOW });
    await drain();
    return invoice;
  };

  it('late money: the owner is told once, accepts it, and the invoice is paid for good', async () => {
    const invoice = await lateInvoice();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({
      status: 'expired',
      paymentState: 'late',
      openIssues: ['late'],
      payments: [{ amountUnits: DUE.toString(), status: 'confirmed' }],
    });
    expect(await mailsOf(invoice)).toBe(1);
    expect(await resolve(invoice, 'accept')).toMatchObject({
      status: 'paid',
      paymentState: 'settled',
      openIssues: [],
      statusHistory: [{ status: 'pending' }, { status: 'expired' }, { status: 'paid' }],
    });
    await drain();
    expect(await eventsOf(invoice)).toEqual([
      'invoice.statusChanged',
      'invoice.paymentLate',
      'invoice.resolved',
      'invoice.statusChanged',
    ]);
  });

  it('is decided once, however often it is pressed', async () => {
    const invoice = await lateInvoice();
    const pressed = await Promise.allSettled(Array.from({ length: 5 }, () => resolve(invoice, 'accept')));
    expect(pressed.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await eventsOf(invoice)).filter((type) => type === 'invoice.resolved')).toHaveLength(1);
  });

  it('late money that is not enough stays late when it is accepted', async () => {
    const invoice = await lateInvoice(DUE / 2n);
    expect(await resolve(invoice, 'accept')).toMatchObject({ status: 'expired', openIssues: [] });
  });

  it('late money can be marked as dealt with, with a note, and comes up again when more arrives', async () => {
    const invoice = await lateInvoice();
    expect(await resolve(invoice, 'mark', 'Restituito il 27 novembre')).toMatchObject({
      status: 'expired',
      openIssues: [],
      resolvedAt: NOW.toISOString(),
      resolutionNote: 'Restituito il 27 novembre',
    });
    await expect(resolve(invoice, 'mark')).rejects.toMatchObject({ code: 'nothing_to_resolve' });
    await expect(resolve(invoice, 'note', 'Cliente avvisato')).resolves.toMatchObject({
      resolutionNote: 'Cliente avvisato',
    });
    await expect(resolve(invoice, 'note')).resolves.toMatchObject({
      resolvedAt: NOW.toISOString(),
      resolutionNote: null,
    });
  });

  it('under the policy "accept" late money pays by itself, and a later change of policy does not undo it', async () => {
    await web.pool.query(`UPDATE user_account SET late_policy = 'accept' WHERE id = $1`, [userId]);
    const invoice = await lateInvoice();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ status: 'paid' });
    await web.pool.query(`UPDATE user_account SET late_policy = 'review' WHERE id = $1`, [userId]);
    await test.db.pool.query(`INSERT INTO settlement_task (wallet_id, chain) VALUES ($1, 'ethereum')`, [
      invoice.walletId,
    ]);
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ status: 'paid' });
  });

  it('under the policy "accept" a surplus that the owner keeps changes nothing that counts, also when more arrives late', async () => {
    await web.pool.query(`UPDATE user_account SET late_policy = 'accept' WHERE id = $1`, [userId]);
    const expiresAt = new Date(NOW.getTime() - 3_600_000);
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt });
    await makeDeposit(test.db.pool, { invoice, amountUnits: 2n * DUE, time: expiresAt });
    await drain();
    expect(await resolve(invoice, 'accept')).toMatchObject({ status: 'paid', amountPaid: '0.02000000' });
    await makeDeposit(test.db.pool, { invoice, amountUnits: DUE, time: NOW });
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({
      status: 'paid',
      amountPaid: '0.03000000',
    });
    expect(await settleInvoice(web, invoice.id, clock)).toMatchObject({ changed: false });
  });

  it('late money that was marked never pays by the policy, neither by a change of policy nor when more arrives', async () => {
    const invoice = await lateInvoice();
    await resolve(invoice, 'mark', 'Restituito');
    await web.pool.query(`UPDATE user_account SET late_policy = 'accept' WHERE id = $1`, [userId]);
    await makeDeposit(test.db.pool, { invoice, amountUnits: DUE, time: NOW });
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({
      status: 'expired',
      paymentState: 'late',
      openIssues: ['late'],
    });
    expect(await settleInvoice(web, invoice.id, clock)).toMatchObject({ changed: false });
    expect(await resolve(invoice, 'accept')).toMatchObject({ status: 'paid', paymentState: 'overpaid' });
  });

  it('marking late money that the policy counted takes it out of the sums at once', async () => {
    await web.pool.query(`UPDATE user_account SET late_policy = 'accept' WHERE id = $1`, [userId]);
    const invoice = await lateInvoice(DUE / 2n);
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ amountPaid: '0.00500000' });
    expect(await resolve(invoice, 'mark')).toMatchObject({ status: 'expired', amountPaid: '0.00000000' });
  });

  it('an overpayment comes up with event and mail, once for each time that more arrives', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId });
    await makeDeposit(test.db.pool, { invoice, amountUnits: 2n * DUE, time: NOW });
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({
      status: 'paid',
      openIssues: ['overpaid'],
    });
    expect(await resolve(invoice, 'accept', 'Mancia')).toMatchObject({ status: 'paid', openIssues: [] });
    await makeDeposit(test.db.pool, { invoice, amountUnits: DUE, time: NOW });
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ openIssues: ['overpaid'] });
    expect(await mailsOf(invoice)).toBe(2);
  });

  it('money on the same address on another network is shown, and can be marked [A4]', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId });
    await test.db.pool.query(
      `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, amount_units)
       VALUES ('BNB', 'bsc', '0xwrong', '0xwrong', $1, $2)`,
      [invoice.poolAddressId, (3n * 10n ** 17n).toString()],
    );
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({
      status: 'pending',
      wrongNetwork: [{ cryptoType: 'BNB', amount: '0.30000000', hash: '0xwrong' }],
      openIssues: ['wrongNetwork'],
    });
    expect(await resolve(invoice, 'mark', 'Recuperato')).toMatchObject({ openIssues: [] });
  });

  it("a tolerance of the owner is taken when the invoice is made; the watcher's outage does not count against the payer", async () => {
    await makeCursor(test.db.pool, { time: new Date(NOW.getTime() + 120_000) });
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: NOW });
    await test.db.pool.query('UPDATE invoice SET tolerance_basis_points = 100, created_at = $2 WHERE id = $1', [
      invoice.id,
      new Date(NOW.getTime() - 600_000),
    ]);
    await watcher.pool.query(`INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ('ethereum', $1, $2)`, [
      new Date(NOW.getTime() - 900_000),
      new Date(NOW.getTime() - 540_000),
    ]);
    await expireInvoices(watcher, clock);
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ status: 'pending' });
    await makeDeposit(test.db.pool, {
      invoice,
      amountUnits: (DUE * 99n) / 100n,
      time: new Date(NOW.getTime() + 119_000),
    });
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ status: 'paid' });
  });

  it('late money that its owner marked does not keep an invoice paid: a reorg of the money in time sets it back', async () => {
    const invoice = await lateInvoice();
    await resolve(invoice, 'mark', 'Restituito');
    await web.pool.query(`UPDATE user_account SET late_policy = 'accept' WHERE id = $1`, [userId]);
    const inTime = await makeDeposit(test.db.pool, { invoice, time: new Date(NOW.getTime() - 7_200_000) });
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ status: 'paid' });
    await orphanDeposit(test.db.pool, inTime.id);
    await drain();
    expect(await getInvoice(web, userId, invoice.uuid, clock)).toMatchObject({ status: 'pending' });
  });
});
