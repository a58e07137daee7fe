import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { type MadeInvoice, makeCursor, makeDeposit, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { drainSettlements } from './drain-settlements';
import { settleInvoice } from './settle-invoice';

const NOW = new Date('2026-11-27T12:00:00Z');
const clock = () => NOW;
const HOUR_AGO = new Date(NOW.getTime() - 3_600_000);
const WAITING = `SELECT count(*)::int FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;

let test: TestDatabase;
let watcher: Database;
let web: Database;
let userId: number;
let invoice: MadeInvoice;

beforeAll(async () => {
  test = await createTestDatabase();
  watcher = openDatabase(test.roleUrl('watcher'), { max: 2, applicationName: 'watcher' });
  web = openDatabase(test.roleUrl('web'), { max: 2, applicationName: 'web' });
});
afterAll(async () => {
  await Promise.all([closeDatabase(watcher), closeDatabase(web)]);
  await test.drop();
});

/** An expired invoice with late money in full, of which its owner was told; the money still waits for its confirmations. */
beforeEach(async () => {
  userId = (await makeUser(test.db.pool)).id;
  await makeCursor(test.db.pool, { height: 100n, time: NOW });
  invoice = await makeInvoice(test.db.pool, { userId, expiresAt: HOUR_AGO });
  await makeDeposit(test.db.pool, { invoice, time: NOW, height: 101n });
  await drainSettlements(watcher, 'ethereum', clock);
  await settleInvoice(web, invoice.id, clock);
  await drainSettlements(watcher, 'ethereum', clock);
  expect(await stored()).toMatchObject({ status: 'expired', state: 'late' });
});

const stored = async () => {
  const { rows } = await test.db.pool.query(
    `SELECT status, payment_state AS state, (SELECT count(*)::int FROM invoice_event e WHERE e.invoice_id = i.id) AS events,
       (SELECT count(*)::int FROM settlement_task t WHERE t.wallet_id = i.wallet_id) AS tasks FROM invoice i WHERE id = $1`,
    [invoice.id],
  );
  return rows[0];
};

const acceptPolicy = () => web.pool.query(`UPDATE user_account SET late_policy = 'accept' WHERE id = $1`, [userId]);
const queue = () =>
  test.db.pool.query(`INSERT INTO settlement_task (wallet_id, chain) VALUES ($1, 'ethereum')`, [invoice.walletId]);

/** Lets `settling` begin while somebody else holds the invoice; `meanwhile` happens and is committed while it waits. */
async function whileHeld<T>(
  settling: () => Promise<T>,
  meanwhile: (holder: pg.PoolClient) => Promise<unknown>,
): Promise<T> {
  const holder = await test.db.pool.connect();
  try {
    await holder.query('BEGIN');
    await holder.query('SELECT 1 FROM invoice WHERE id = $1 FOR UPDATE', [invoice.id]);
    const settled = settling();
    await vi.waitFor(async () => expect(await test.asSuperuser(WAITING)).toEqual([{ count: 1 }]), 8_000);
    await meanwhile(holder);
    await holder.query('COMMIT');
    return await settled;
  } finally {
    holder.release();
  }
}

/** The same database, and how often it refused a decision because the facts did not carry it. */
function watched(db: Database): { db: Pick<Database, 'pool'>; refusals: () => number } {
  let refused = 0;
  const connect = async () => {
    const client = await db.pool.connect();
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>;
    const noting = (...args: unknown[]) =>
      query(...args).catch((error: unknown) => {
        refused += 1;
        throw error;
      });
    return Object.assign(Object.create(client), { query: noting, release: () => client.release() });
  };
  return { db: { pool: Object.assign(Object.create(db.pool), { connect }) }, refusals: () => refused };
}

it('a settlement that waited for its invoice decides by the policy of then: money that it accepts is not left late', async () => {
  await queue();
  await whileHeld(
    () => drainSettlements(watcher, 'ethereum', clock),
    async () => {
      await acceptPolicy();
      await makeCursor(test.db.pool, { height: 101n, time: NOW });
      await queue();
    },
  );
  expect(await stored()).toMatchObject({ status: 'paid', tasks: 0 });
});

it('late money that its owner sends back while a settlement waits under the policy "accept" is never taken, nor decided on twice', async () => {
  await makeCursor(test.db.pool, { height: 101n, time: NOW });
  await acceptPolicy();
  const { db, refusals } = watched(web);
  const settlement = await whileHeld(
    () => settleInvoice(db, invoice.id, clock),
    (holder) => holder.query(`SELECT note_event($1, 'invoice.resolved', now())`, [invoice.id]),
  );
  expect(settlement).toMatchObject({ changed: false, statusChanged: false });
  expect(refusals()).toBe(0);
  expect(await stored()).toMatchObject({ status: 'expired', state: 'late' });
});

it('an outage that is noted while a settlement waits counts for the payer: money in time is not left late', async () => {
  await makeCursor(test.db.pool, { height: 101n, time: NOW });
  await test.db.pool.query('UPDATE invoice SET created_at = $2 WHERE id = $1', [
    invoice.id,
    new Date(HOUR_AGO.getTime() - 7_200_000),
  ]);
  await queue();
  await whileHeld(
    () => drainSettlements(watcher, 'ethereum', clock),
    (holder) =>
      holder.query(`INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ('ethereum', $1, $2)`, [
        new Date(HOUR_AGO.getTime() - 7_200_000),
        HOUR_AGO,
      ]),
  );
  expect(await stored()).toMatchObject({ status: 'paid', tasks: 0 });
});
