import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import {
  type MadeInvoice,
  makeApiKey,
  makeCursor,
  makeDeposit,
  makeInvoice,
  makeUser,
  orphanDeposit,
} from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { composeMail } from './announcements';
import { checkPublicPayment } from './check-payment';
import { drainSettlements } from './drain-settlements';
import { expireInvoices } from './expire-invoices';
import { forcePayment } from './force-payment';
import { settleInvoice } from './settle-invoice';

const NOW = new Date('2026-11-27T12:00:00Z');
const clock = () => NOW;
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DUE = 10n ** 16n;

describe('settlement', () => {
  let test: TestDatabase;
  /** What the watcher and the web process may do, with their own logins. */
  let watcher: Database;
  let web: Database;
  let dispatcher: Database;
  let userId: number;

  beforeAll(async () => {
    test = await createTestDatabase();
    watcher = openDatabase(test.roleUrl('watcher'), { max: 20, applicationName: 'watcher' });
    web = openDatabase(test.roleUrl('web'), { max: 20, applicationName: 'web' });
    dispatcher = openDatabase(test.roleUrl('dispatcher'), { max: 20, applicationName: 'dispatcher' });
  });
  afterAll(async () => {
    await Promise.all([closeDatabase(watcher), closeDatabase(web), closeDatabase(dispatcher)]);
    await test.drop();
  });
  beforeEach(async () => {
    userId = (await makeUser(test.db.pool)).id;
    await makeCursor(test.db.pool, { height: 100n, time: NOW });
  });

  const stateOf = async ({ id }: MadeInvoice) => {
    const { rows } = await test.db.pool.query(
      `SELECT status, payment_state AS "paymentState", amount_paid_units AS paid, paid_at AS "paidAt" FROM invoice WHERE id = $1`,
      [id],
    );
    return rows[0];
  };
  const eventsOf = async ({ id }: MadeInvoice) => {
    const { rows } = await test.db.pool.query(
      `SELECT sequence, from_status AS "from", to_status AS "to",
         (SELECT count(*)::int FROM webhook_delivery d WHERE d.event_id = e.id) AS deliveries
       FROM invoice_event e WHERE invoice_id = $1 ORDER BY sequence`,
      [id],
    );
    return rows;
  };
  const pay = (invoice: MadeInvoice, over = {}) => makeDeposit(test.db.pool, { invoice, time: NOW, ...over });
  const drain = () => drainSettlements(watcher, 'ethereum', clock);

  it('a confirmed payment in full makes it paid, with one event, one delivery and one receipt, committed together', async () => {
    const key = await makeApiKey(test.db.pool, { userId });
    const email = 'elena@example.com';
    const invoice = await makeInvoice(test.db.pool, { userId, apiKeyId: key.id, expiresAt: later(600), email });
    await pay(invoice);
    expect(await drain()).toContain(invoice.uuid);
    expect(await stateOf(invoice)).toEqual({
      status: 'paid',
      paymentState: 'settled',
      paid: DUE,
      paidAt: NOW,
    });
    expect(await eventsOf(invoice)).toEqual([{ sequence: 1, from: 'pending', to: 'paid', deliveries: 1 }]);
    const mails = await test.db.pool.query('SELECT recipient FROM outgoing_mail WHERE dedupe_key = $1', [
      `receipt:${invoice.uuid}`,
    ]);
    expect(mails.rows).toEqual([{ recipient: email }]);
  });

  it('settling again, from any side, changes nothing and tells nobody twice', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: later(600) });
    await pay(invoice);
    await drain();
    await drain();
    await checkPublicPayment(web, invoice.uuid, clock);
    expect(await settleInvoice(web, invoice.id, clock)).toMatchObject({ changed: false, statusChanged: false });
    expect(await eventsOf(invoice)).toHaveLength(1);
  });

  it('[C4] 50 concurrent callers of check-payment, expiry and watcher make one transition and one event', async () => {
    await makeApiKey(test.db.pool, { userId });
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: later(-10) });
    await pay(invoice, { time: later(-20) });
    const callers = Array.from({ length: 50 }, (_, index) =>
      index % 3 === 0
        ? drain()
        : index % 3 === 1
          ? checkPublicPayment(web, invoice.uuid, clock)
          : expireInvoices(dispatcher, clock),
    );
    await Promise.all(callers);
    expect(await stateOf(invoice)).toMatchObject({ status: 'paid' });
    expect(await eventsOf(invoice)).toEqual([{ sequence: 1, from: 'pending', to: 'paid', deliveries: 1 }]);
  });

  it('[C3] a deposit that is committed while its invoice is being settled is settled next, even with an older task', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: later(600) });
    const [slow, events] = await Promise.all([test.db.pool.connect(), test.db.pool.connect()]);
    await slow.query('BEGIN');
    await makeDeposit(slow, { invoice, time: NOW });
    await pay(invoice);
    await events.query('BEGIN');
    await events.query('LOCK TABLE invoice_event IN SHARE MODE');
    const draining = drain();
    const waiting = `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await vi.waitFor(async () => expect(await test.asSuperuser(waiting)).toEqual([{ count: 1 }]), 8_000);
    await slow.query('COMMIT');
    await events.query('COMMIT');
    for (const client of [slow, events]) client.release();
    await draining;
    expect(await stateOf(invoice)).toMatchObject({ paymentState: 'overpaid', paid: 2n * DUE });
  });

  it('an invoice that cannot be settled keeps its task and holds up no other', async () => {
    const broken = await makeInvoice(test.db.pool, { userId });
    const sound = await makeInvoice(test.db.pool, { userId });
    await pay(broken);
    await pay(sound);
    await test.db.pool.query(
      `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
       CREATE TRIGGER broken BEFORE UPDATE ON invoice FOR EACH ROW WHEN (OLD.id = ${broken.id}) EXECUTE FUNCTION fail()`,
    );
    await expect(drain()).rejects.toThrow(`Invoices not settled: ${broken.id}.`);
    expect(await stateOf(sound)).toMatchObject({ status: 'paid' });
    await test.db.pool.query('DROP TRIGGER broken ON invoice; DROP FUNCTION fail');
    await test.db.pool.query('UPDATE settlement_failure SET next_try_at = now()');
    await drain();
    expect(await stateOf(broken)).toMatchObject({ status: 'paid' });
  });

  it('the queue is empty afterwards, also for wallets without an invoice', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId });
    await pay(invoice, { amountUnits: 1n });
    await test.db.pool.query(`INSERT INTO settlement_task (wallet_id, chain) VALUES (2000000000, 'ethereum')`);
    await drain();
    const { rows } = await test.db.pool.query('SELECT 1 FROM settlement_task');
    expect(rows).toEqual([]);
  });

  it('waits for the confirmations asked for', async () => {
    await makeCursor(test.db.pool, { height: 101n, time: NOW, confirmations: 3 });
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: later(600) });
    await pay(invoice);
    await drain();
    expect(await stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'confirming' });
    await makeCursor(test.db.pool, { height: 102n, time: NOW, confirmations: 3 });
    await checkPublicPayment(web, invoice.uuid, clock);
    expect(await stateOf(invoice)).toMatchObject({ status: 'paid' });
  });

  it('[B8] expires by chain time, and by the clock only while no coin is chosen', async () => {
    const priced = await makeInvoice(test.db.pool, { userId, expiresAt: later(-61) });
    const inGrace = await makeInvoice(test.db.pool, { userId, expiresAt: later(-60) });
    const { rows } = await test.db.pool.query(
      `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at) VALUES ($1, 100, 5, $2), ($1, 100, 5, $3)
       RETURNING id`,
      [userId, NOW, later(1)],
    );
    await expireInvoices(dispatcher, clock);
    expect(await stateOf(priced)).toMatchObject({ status: 'expired' });
    expect(await stateOf(inGrace)).toMatchObject({ status: 'pending' });
    expect(await stateOf(rows[0])).toMatchObject({ status: 'expired' });
    expect(await stateOf(rows[1])).toMatchObject({ status: 'pending' });
    expect(await eventsOf(priced)).toMatchObject([{ from: 'pending', to: 'expired' }]);
  });

  it('[B1] a reorg takes a paid invoice back to pending and its return pays it again, each with an event of its own', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: later(600), email: 'a@example.com' });
    const { id } = await pay(invoice);
    await drain();
    await orphanDeposit(test.db.pool, id);
    await drain();
    expect(await stateOf(invoice)).toMatchObject({ status: 'pending', paymentState: 'reversed', paid: 0n });
    await test.db.pool.query('UPDATE deposit SET orphaned_at = NULL WHERE id = $1', [id]);
    await test.db.pool.query(`INSERT INTO settlement_task (wallet_id, chain) VALUES ($1, 'ethereum')`, [
      invoice.walletId,
    ]);
    await drain();
    expect(await eventsOf(invoice)).toMatchObject([
      { sequence: 1, to: 'paid' },
      { sequence: 2, to: 'pending' },
      { sequence: 3, to: 'paid' },
    ]);
    const mails = await test.db.pool.query('SELECT 1 FROM outgoing_mail WHERE dedupe_key = $1', [
      `receipt:${invoice.uuid}`,
    ]);
    expect(mails.rowCount).toBe(1);
  });

  it('[A19] late money leaves it expired, and the owner can force it; nobody else can', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId, expiresAt: later(-3600) });
    await expireInvoices(dispatcher, clock);
    await expect(forcePayment(web, userId, invoice.uuid, clock)).rejects.toMatchObject({ code: 'force_not_allowed' });
    await pay(invoice);
    await drain();
    expect(await stateOf(invoice)).toMatchObject({ status: 'expired', paymentState: 'late' });
    const stranger = await makeUser(test.db.pool);
    await expect(forcePayment(web, stranger.id, invoice.uuid, clock)).rejects.toMatchObject({ code: 'not_found' });
    expect(await forcePayment(web, userId, invoice.uuid, clock)).toMatchObject({ isPaid: true, status: 'forcePaid' });
    await expect(forcePayment(web, userId, invoice.uuid, clock)).rejects.toMatchObject({ code: 'force_not_allowed' });
    await drain();
    expect(await stateOf(invoice)).toMatchObject({ status: 'forcePaid' });
  });

  it('the receipt of a forced invoice says what came, and of one without money in its coin claims no payment', async () => {
    const receiptOf = async ({ uuid }: MadeInvoice) => {
      const sent = 'SELECT event_id AS event, kind FROM outgoing_mail WHERE dedupe_key = $1';
      const { rows } = await test.db.pool.query(sent, [`receipt:${uuid}`]);
      const { subject, text } = await composeMail(dispatcher.pool, rows[0]?.event, rows[0]?.kind);
      return `${subject}\n${text}`;
    };
    const unpaid = () => makeInvoice(test.db.pool, { userId, expiresAt: later(600), email: 'elena@example.com' });
    const part = await unpaid();
    await pay(part, { amountUnits: (DUE * 4n) / 10n });
    await drain();
    await forcePayment(web, userId, part.uuid, clock);
    expect(await receiptOf(part)).toContain('segnata come pagata\nIl venditore ha segnato');
    expect(await receiptOf(part)).toContain('Ricevuto in ETH: 0,00400000\nDovuto in ETH: 0,01000000\n');
    const elsewhere = await unpaid();
    await makeCursor(test.db.pool, { chain: 'bsc' });
    await test.db.pool.query(
      `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, amount_units, block_height, block_hash, block_time)
       VALUES ('BNB', 'bsc', $1, $1, $2, $3, 100, '0xblock', now())`,
      [`wrong network ${elsewhere.uuid}`, elsewhere.poolAddressId, DUE.toString()],
    );
    await forcePayment(web, userId, elsewhere.uuid, clock);
    expect(await receiptOf(elsewhere)).toContain('segnata come pagata\nIl venditore ha segnato');
    expect(await receiptOf(elsewhere)).not.toMatch(/ETH|ricevut|pagamento/i);
  });

  it.each([
    ['expired', 'pending'],
    ['paid', 'expired'],
    ['paid', 'forcePaid'],
    ['forcePaid', 'pending'],
    ['forcePaid', 'paid'],
    ['forcePaid', 'expired'],
  ])('the database itself refuses %s to %s', async (from, to) => {
    const invoice = await makeInvoice(test.db.pool, { userId });
    await test.db.pool.query(`UPDATE invoice SET status = $2::invoice_status WHERE id = $1`, [invoice.id, from]);
    await expect(
      test.db.pool.query(`UPDATE invoice SET status = $2::invoice_status WHERE id = $1`, [invoice.id, to]),
    ).rejects.toThrow('illegal transition');
  });

  it('what was priced once stays priced so', async () => {
    const invoice = await makeInvoice(test.db.pool, { userId });
    for (const change of ['amount_units = 1', 'rate = 1', `coin = 'BNB'`, 'amount_eur_cents = 1']) {
      await expect(test.db.pool.query(`UPDATE invoice SET ${change} WHERE id = $1`, [invoice.id])).rejects.toThrow(
        'already has its coin',
      );
    }
  });
});
