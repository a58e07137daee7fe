import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { settleInvoice } from '@/lib/invoices/settle-invoice';
import { systemClock } from '@/lib/shared/time';
import { emptyTables } from './empty-tables';
import {
  type MadeInvoice,
  makeApiKey,
  makeCursor,
  makeDeposit,
  makeInvoice,
  makePool,
  makeRate,
  makeUser,
} from './factories';
import { type Claim, settleDoor } from './settle-door';
import { createTestDatabase, type TestDatabase } from './test-database';

const ETH = 10n ** 18n;
const DUE = ETH / 100n;

/** What somebody can do who has the login of the web process and writes SQL of their own. */
describe('with the login of a web process that was taken over', () => {
  let test: TestDatabase;
  let owner: Database;
  let web: Database;
  let userId: number;
  let invoice: MadeInvoice;

  beforeAll(async () => {
    test = await createTestDatabase();
    owner = test.db;
    web = openDatabase(test.roleUrl('web'), { max: 4, applicationName: 'taken-over' });
  });
  beforeEach(async () => {
    await emptyTables(owner.pool);
    userId = (await makeUser(owner.pool)).id;
    await makeCursor(owner.pool);
    await makeRate(owner.pool);
    invoice = await makeInvoice(owner.pool, { userId, dueUnits: DUE });
  });
  afterAll(async () => {
    await closeDatabase(web);
    await test.drop();
  });

  const run = (text: string, values: unknown[] = []) => web.pool.query(text, values);
  const read = async (text: string) => (await owner.pool.query(text)).rows;
  const say = (...claims: Claim[]) => web.pool.query(settleDoor(...claims));
  const settle = (status: string, { paid = 0n, version = 0 } = {}) =>
    say({ id: invoice.id, version, status, units: paid });
  const DENIED = /permission denied/;
  const UNFOUNDED = /do not carry/;

  it('no invoice becomes paid without money', async () => {
    await expect(run(`UPDATE invoice SET status = 'paid' WHERE id = $1`, [invoice.id])).rejects.toThrow(DENIED);
    await expect(settle('paid')).rejects.toThrow(UNFOUNDED);
    await expect(settle('paid', { paid: DUE })).rejects.toThrow(UNFOUNDED);
    expect(await read('SELECT status, version FROM invoice')).toEqual([{ status: 'pending', version: 0 }]);
    expect(await read('SELECT 1 FROM invoice_event')).toEqual([]);
  });

  it('no invoice becomes paid by too little money, by money that is not confirmed, or by money that came too late', async () => {
    await makeDeposit(owner.pool, { invoice, amountUnits: DUE / 2n });
    await expect(settle('paid', { paid: DUE / 2n })).rejects.toThrow(UNFOUNDED);
    await makeDeposit(owner.pool, { invoice, amountUnits: DUE, height: 101n });
    await expect(settle('paid', { paid: DUE })).rejects.toThrow(UNFOUNDED);
    const late = await makeInvoice(owner.pool, { userId, dueUnits: DUE, expiresAt: new Date(Date.now() - 3_600_000) });
    await makeDeposit(owner.pool, { invoice: late, amountUnits: DUE });
    invoice = late;
    await expect(settle('paid', { paid: DUE })).rejects.toThrow(UNFOUNDED);
    await expect(say({ id: late.id, status: 'paid', units: DUE, usesLate: true })).rejects.toThrow(UNFOUNDED);
  });

  it('no invoice is forced paid without money, and none is born forced', async () => {
    await expect(settle('forcePaid')).rejects.toThrow(UNFOUNDED);
    await expect(
      run(
        `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at, status)
         VALUES ($1, 100, 60, now(), 'forcePaid')`,
        [userId],
      ),
    ).rejects.toThrow(DENIED);
  });

  it('in a set, no unfounded decision hides behind sound ones, no invoice is decided twice, and no set is without an end', async () => {
    const other = await makeInvoice(owner.pool, { userId, dueUnits: DUE });
    await makeDeposit(owner.pool, { invoice, amountUnits: DUE });
    const sound = { id: invoice.id, status: 'paid', units: DUE };
    await expect(say(sound, { id: other.id, status: 'paid', units: DUE })).rejects.toThrow(UNFOUNDED);
    await expect(say(sound, { ...sound, status: 'pending', state: 'seen' })).rejects.toThrow('each once');
    const many = Array.from({ length: 1_001 }, (_, n) => ({ id: 1_000_000 + n }));
    await expect(say(...many)).rejects.toThrow('at most 1,000');
    await expect(say({ ...sound, misfit: 'invoice.statusChanged' })).rejects.toThrow('has no event');
    expect(await read('SELECT DISTINCT status, version FROM invoice')).toEqual([{ status: 'pending', version: 0 }]);
    expect((await say({ ...sound, version: 7 })).rows).toEqual([{ written: 0 }]);
    expect((await say(sound)).rows).toEqual([{ written: 1 }]);
  });

  it('no late money is taken that came before the policy, and nobody dates the policy back', async () => {
    const late = await makeInvoice(owner.pool, { userId, dueUnits: DUE, expiresAt: new Date(Date.now() - 3_600_000) });
    await makeDeposit(owner.pool, { invoice: late, amountUnits: DUE });
    // What is booked in the policy's own millisecond counts as booked since.
    await owner.pool.query(`UPDATE deposit SET posted_at = now() - interval '1 s'`);
    await run(`UPDATE user_account SET late_policy = 'accept'`);
    const claim = { id: late.id, status: 'paid', units: DUE };
    for (const usesLate of [true, false]) await expect(say({ ...claim, usesLate })).rejects.toThrow(UNFOUNDED);
    await expect(run(`UPDATE user_account SET late_policy_since = '1970-01-01'`)).rejects.toThrow(DENIED);
    await expect(run('DELETE FROM settlement_failure')).rejects.toThrow(DENIED);
  });

  it('no paid invoice is set back, and none that was paid in time expires', async () => {
    await makeDeposit(owner.pool, { invoice, amountUnits: DUE });
    await owner.pool.query(`UPDATE chain_cursor SET chain_time = now() + interval '1 day'`);
    await expect(settle('expired')).rejects.toThrow(UNFOUNDED);
    await settleInvoice(web, invoice.id, systemClock);
    expect(await read('SELECT status FROM invoice')).toEqual([{ status: 'paid' }]);
    await expect(settle('pending', { version: 1 })).rejects.toThrow(UNFOUNDED);
  });

  it('no event, delivery or mail can be made up, changed or removed', async () => {
    await makeApiKey(owner.pool, { userId });
    await makeDeposit(owner.pool, { invoice, amountUnits: DUE });
    await settleInvoice(web, invoice.id, systemClock);
    expect(await read('SELECT count(*)::int AS deliveries FROM webhook_delivery')).toEqual([{ deliveries: 1 }]);
    const event = `(SELECT id FROM invoice_event LIMIT 1)`;
    for (const attack of [
      `INSERT INTO invoice_event (invoice_id, sequence, type, from_status, to_status, payment_state)
       VALUES (${invoice.id}, 9, 'invoice.statusChanged', 'pending', 'paid', 'settled')`,
      `UPDATE invoice_event SET to_status = 'paid'`,
      `SELECT add_event(${invoice.id}, 'invoice.statusChanged', 'pending', now())`,
      `INSERT INTO webhook_delivery (event_id, api_key_id, url, body)
       SELECT ${event}, id, 'https://evil.example/', '{}' FROM api_key LIMIT 1`,
      `UPDATE webhook_delivery SET body = '{"status":"paid"}'`,
      `UPDATE webhook_delivery SET status = 'pending'`,
      `DELETE FROM webhook_delivery`,
      `SELECT enqueue_deliveries(ARRAY[${event}])`,
      `INSERT INTO outgoing_mail (dedupe_key, recipient, subject, text) VALUES ('x', 'a@example.com', 'a', 'b')`,
      `SELECT enqueue_mail('x', 'a@example.com', ${event}, 'receipt')`,
      `INSERT INTO invoice_status_change (invoice_id, status) VALUES (${invoice.id}, 'paid')`,
    ])
      await expect(run(attack), attack).rejects.toThrow(DENIED);
    await expect(run(`SELECT note_event(${invoice.id}, 'invoice.statusChanged', now())`)).rejects.toThrow(
      'has no event',
    );
    await expect(run(`SELECT note_event(${invoice.id}, 'invoice.overpaid', now())`)).rejects.toThrow('has no event');
  });

  it('no reason to settle goes away, and no chain, epoch, rate or outage changes', async () => {
    for (const attack of [
      'DELETE FROM settlement_task',
      'UPDATE settlement_task SET wallet_id = 1',
      'UPDATE invoice SET chain_epoch = 7',
      'UPDATE chain_cursor SET epoch = 7',
      'UPDATE coin_rate SET rate = 1',
      `UPDATE coin_rule SET shown_units = 1e20`,
      `INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ('ethereum', '2000-01-01', now())`,
    ])
      await expect(run(attack), attack).rejects.toThrow(DENIED);
  });

  it('no address is planted, freed or given twice', async () => {
    const [stolen] = await makePool(owner.pool, { count: 1 });
    for (const attack of [
      'UPDATE pool_address SET claimed_at = NULL',
      `UPDATE pool_address SET address = '0xevil'`,
      `INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation)
       SELECT watch_key_id, family, purpose, 99999, '0xevil', 0 FROM pool_address LIMIT 1`,
      `INSERT INTO wallet (user_id, coin, type, pool_address_id, address)
       SELECT ${userId}, 'ETH', 'invoice', id, '0xevil' FROM pool_address WHERE address = '${stolen}'`,
      `UPDATE wallet SET address = '0xevil'`,
      `UPDATE watch_key SET public_key = 'xpub-evil'`,
      `UPDATE invoice SET wallet_id = NULL`,
      `INSERT INTO invoice (user_id, amount_eur_cents, expiry_minutes, expires_at, coin, chain, amount_units, rate, wallet_id, chain_epoch)
       VALUES (${userId}, 100, 60, now(), 'ETH', 'ethereum', 1, 1, 1, 0)`,
      `SELECT claim_wallet(${userId}, 'ETH', 'invoice')`,
    ])
      await expect(run(attack), attack).rejects.toThrow(DENIED);
  });

  it('no invoice is sold for less than it costs, at another rate, for longer than a day or with another merchant’s key', async () => {
    const stranger = await makeUser(owner.pool);
    const key = await makeApiKey(owner.pool, { userId: stranger.id });
    await makePool(owner.pool, { count: 3 });
    const create = ({
      minutes = 60,
      units = '100000000000000000' as string | null,
      rate = '3118.4' as string | null,
      withKey = null as number | null,
    } = {}) =>
      run(`SELECT create_invoice($1, $2, NULL, NULL, 31184, $3, now(), 'ETH', $4, $5, now() - interval '1 minute')`, [
        userId,
        withKey,
        minutes,
        units,
        rate,
      ]);
    await expect(create({ units: '1' })).rejects.toThrow('are not the price');
    await expect(create({ units: '1', rate: '31184000000000000000' })).rejects.toThrow('are not the price');
    await expect(create({ units: '200000000000000000' })).rejects.toThrow('are not the price');
    await expect(create({ units: '1', rate: null })).rejects.toThrow('are not the price');
    await expect(create({ units: null })).rejects.toThrow('are not the price');
    await expect(create({ minutes: 100_000 })).rejects.toThrow('an invoice of');
    await expect(create({ withKey: key.id })).rejects.toThrow('is not one of merchant');
    expect(await read('SELECT count(*)::int AS sold FROM invoice')).toEqual([{ sold: 1 }]);
    expect((await create()).rows).toHaveLength(1);
    const { uuid } = (
      await run(`SELECT uuid FROM create_invoice($1, NULL, NULL, NULL, 31184, 60, now(), NULL, NULL, NULL, now())`, [
        userId,
      ])
    ).rows[0];
    await expect(
      run(`SELECT price_invoice($1, 'ETH', 1, 3118.4, now(), now() - interval '1 minute')`, [uuid]),
    ).rejects.toThrow('are not the price');
  });

  it('no ledger entry, balance or deposit is made up', async () => {
    for (const attack of [
      `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch) VALUES ('deposit', 'ETH', 'deposit', 1, 1, 0)`,
      'UPDATE ledger_account SET balance = 1',
      `UPDATE deposit SET wallet_id = 1`,
      `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, amount_units, seen_at)
       VALUES ('ETH', 'ethereum', 'x', 'x', 1, 1, now())`,
      `SELECT post_entries('{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}', '{}')`,
      'SELECT apply_postings()',
    ])
      await expect(run(attack), attack).rejects.toThrow(/permission denied|trigger functions/);
  });

  it('no seed is read, nobody becomes an admin or a superuser, and a dead key stays dead', async () => {
    const key = await makeApiKey(owner.pool, { userId });
    await owner.pool.query('UPDATE api_key SET is_active = false WHERE id = $1', [key.id]);
    for (const attack of [
      'SELECT sealed FROM instance_seed',
      'UPDATE user_account SET is_admin = true',
      `INSERT INTO user_account (name, email, password_hash, is_admin) VALUES ('x', 'x@example.com', 'x', true)`,
      'ALTER ROLE incassa_web SUPERUSER',
      'SET ROLE incassa_functions',
      'SET ROLE incassa_owner',
      'GRANT incassa_owner TO incassa_web',
      'CREATE TABLE mine (id int)',
      `COPY (SELECT 1) TO PROGRAM 'id'`,
      `SELECT pg_read_file('/etc/passwd')`,
    ])
      await expect(run(attack), attack).rejects.toThrow(/permission denied|must be|Only roles/i);
    await expect(run('UPDATE api_key SET is_active = true WHERE id = $1', [key.id])).rejects.toThrow('for good');
  });

  it('no settlement is stopped by its version, and late money that was accepted stays so', async () => {
    await expect(run('UPDATE invoice SET version = 2147483647')).rejects.toThrow('by its settlement alone');
    await run('UPDATE invoice SET late_accepted_at = now()');
    await expect(run('UPDATE invoice SET late_accepted_at = NULL')).rejects.toThrow('was accepted');
    await makeDeposit(owner.pool, { invoice, amountUnits: DUE });
    expect(await settleInvoice(web, invoice.id, systemClock)).toMatchObject({ statusChanged: true });
  });

  it('no facts of the past are looked at', async () => {
    const client = await web.pool.connect();
    try {
      for (const level of ['REPEATABLE READ', 'SERIALIZABLE']) {
        await client.query(`BEGIN ISOLATION LEVEL ${level}`);
        const call = settleDoor({ id: invoice.id, state: 'unpaid' });
        await expect(client.query(call)).rejects.toThrow('not in a transaction');
        await client.query('ROLLBACK');
      }
    } finally {
      client.release();
    }
  });

  it('no sum is understated, overstated or negative, no state says what the facts do not, and no time is without an end', async () => {
    await makeDeposit(owner.pool, { invoice, amountUnits: DUE / 2n });
    const write = ({ state = 'partial', units = DUE / 2n, reversedAt = null as string | null } = {}) =>
      say({ id: invoice.id, state, units, reversedAt });
    for (const units of [0n, DUE, -1n]) await expect(write({ units }), String(units)).rejects.toThrow(UNFOUNDED);
    for (const state of ['overpaid', 'settled', 'late', 'seen', 'confirming', 'reversed'])
      await expect(write({ state }), state).rejects.toThrow(UNFOUNDED);
    for (const reversedAt of ['infinity', '9000-01-01'])
      await expect(write({ state: 'reversed', reversedAt }), reversedAt).rejects.toThrow(UNFOUNDED);
    for (const at of ['infinity', '-infinity', '2999-01-01'])
      await expect(
        run(`SELECT create_invoice($1, NULL, NULL, NULL, 100, 60, $2, NULL, NULL, NULL, now())`, [userId, at]),
        at,
      ).rejects.toThrow(/an invoice of|invoice_times_finite/);
    expect((await write()).rows).toEqual([{ written: 1 }]);
  });

  it('an address that has a wallet although the pool calls it free is passed over: others are served', async () => {
    const rows = await read(`SELECT pool_address_id AS id FROM wallet`);
    await owner.pool.query('UPDATE pool_address SET claimed_at = NULL WHERE id = $1', [rows[0]?.id]);
    const [free] = await makePool(owner.pool, { count: 1 });
    const { rows: made } = await run(
      `SELECT wallet_address AS address FROM create_invoice($1, NULL, NULL, NULL, 31184, 60, now(), 'ETH', $2, 3118.4,
         now() - interval '1 minute')`,
      [userId, '100000000000000000'],
    );
    expect(made).toEqual([{ address: free }]);
  });
});
