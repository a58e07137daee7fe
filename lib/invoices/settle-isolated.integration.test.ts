import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeApiKey, makeCursor, makeDeposit, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { checkPublicPayment } from './check-payment';
import { drainSettlements } from './drain-settlements';
import { countFailing } from './due-repository';
import { expireInvoices } from './expire-invoices';
import { forcePayment } from './force-payment';
import { resolveInvoice } from './resolve-invoice';
import { settleIsolated } from './settle-isolated';

const NOW = new Date('2026-11-27T12:00:00Z');
const clock = () => NOW;
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const DUE = 10n ** 16n;

let test: TestDatabase;
let watcher: Database;
let web: Database;
let dispatcher: Database;
let userId: number;

beforeAll(async () => {
  test = await createTestDatabase();
  watcher = openDatabase(test.roleUrl('watcher'), { max: 4, applicationName: 'watcher' });
  web = openDatabase(test.roleUrl('web'), { max: 20, applicationName: 'web' });
  dispatcher = openDatabase(test.roleUrl('dispatcher'), { max: 4, applicationName: 'dispatcher' });
});
afterAll(async () => {
  await Promise.all([closeDatabase(watcher), closeDatabase(web), closeDatabase(dispatcher)]);
  await test.drop();
});
beforeEach(async () => {
  await emptyTables(test.db.pool);
  await test.db.pool.query('TRUNCATE settlement_failure');
  userId = (await makeUser(test.db.pool)).id;
  await makeCursor(test.db.pool, { height: 100n, time: NOW });
});

const query = async (text: string, values: unknown[] = []) => (await test.db.pool.query(text, values)).rows;
const drain = () => drainSettlements(watcher, 'ethereum', clock);
const statusOf = async ({ id }: MadeInvoice) =>
  (await query('SELECT status FROM invoice WHERE id = $1', [id]))[0]?.status;
const failures = () =>
  query(`SELECT invoice_id AS id, attempts,
    round(extract(epoch FROM next_try_at - now()))::int AS "waitSeconds" FROM settlement_failure ORDER BY invoice_id`);
const passTime = () => query('UPDATE settlement_failure SET next_try_at = now()');

async function makeInvoices(count: number, expiresAt = later(600)): Promise<MadeInvoice[]> {
  const invoices: MadeInvoice[] = [];
  for (let n = 0; n < count; n += 1) invoices.push(await makeInvoice(test.db.pool, { userId, expiresAt }));
  return invoices;
}

/** From now on nothing can be written to an invoice, until `mend`. */
const breakInvoice = ({ id }: MadeInvoice) =>
  query(`CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
    CREATE TRIGGER broken BEFORE UPDATE ON invoice FOR EACH ROW WHEN (OLD.id = ${id}) EXECUTE FUNCTION fail()`);
const mend = () => query('DROP TRIGGER broken ON invoice; DROP FUNCTION fail');

it('of a set with one bad invoice all others are settled at once; the bad one is told once, tried ever more rarely, and recovers by itself', async () => {
  const invoices = await makeInvoices(5);
  const [, , bad] = invoices;
  if (!bad) throw new Error('Five were made.');
  for (const invoice of invoices) await makeDeposit(test.db.pool, { invoice, time: NOW });
  await breakInvoice(bad);
  const told = await drain().catch((error: unknown) => error);
  expect(told).toMatchObject({ message: `Invoices not settled: ${bad.id}.`, errors: [{ message: 'broken' }] });
  expect(await Promise.all(invoices.map(statusOf))).toEqual(['paid', 'paid', 'pending', 'paid', 'paid']);
  expect(await query('SELECT count(*)::int FROM invoice_event')).toEqual([{ count: 4 }]);
  expect(await failures()).toEqual([{ id: bad.id, attempts: 1, waitSeconds: 1 }]);
  for (const [attempts, waitSeconds] of [
    [2, 5],
    [3, 30],
    [4, 300],
    [5, 3_600],
    [6, 3_600],
  ]) {
    await passTime();
    expect(await drain()).toEqual([]);
    expect(await failures()).toEqual([{ id: bad.id, attempts, waitSeconds }]);
  }
  expect(await drain()).toEqual([]);
  expect(await failures()).toMatchObject([{ attempts: 6 }]);
  expect(await countFailing(dispatcher.pool)).toBe(1);
  await mend();
  await passTime();
  expect(await drain()).toEqual([bad.uuid]);
  expect(await statusOf(bad)).toBe('paid');
  expect(await failures()).toEqual([]);
});

it('an expiry that fails is tried ever more rarely, by the dispatcher, and one that anybody settles meanwhile is forgotten as a failure', async () => {
  const [bad, sound, mended] = await makeInvoices(3, later(-3600));
  if (!bad || !sound || !mended) throw new Error('Three were made.');
  await breakInvoice(bad);
  await expect(expireInvoices(dispatcher, clock)).rejects.toThrow(`Invoices not expired: ${bad.id}.`);
  expect(await Promise.all([bad, sound, mended].map(statusOf))).toEqual(['pending', 'expired', 'expired']);
  expect(await expireInvoices(dispatcher, clock)).toBe(0);
  expect(await failures()).toEqual([{ id: bad.id, attempts: 1, waitSeconds: 1 }]);
  await passTime();
  expect(await expireInvoices(dispatcher, clock)).toBe(0);
  expect(await failures()).toEqual([{ id: bad.id, attempts: 2, waitSeconds: 5 }]);
  await mend();
  await checkPublicPayment(web, bad.uuid, clock);
  expect(await statusOf(bad)).toBe('expired');
  expect(await failures()).toEqual([]);
});

it('a failure whose reason went away without a change is forgotten with its next try', async () => {
  const [invoice] = await makeInvoices(1);
  await query(`INSERT INTO settlement_failure (invoice_id, next_try_at) VALUES ($1, now())`, [invoice?.id]);
  expect(await expireInvoices(dispatcher, clock)).toBe(0);
  expect(await failures()).toEqual([]);
});

it('a database that is lost is no invoice’s fault', async () => {
  const [invoice] = await makeInvoices(1);
  const gone = openDatabase('postgres://nobody@127.0.0.1:9/none', { max: 1, applicationName: 'gone' });
  const due = [{ id: invoice?.id ?? 0, failures: 0 }];
  await expect(settleIsolated(gone, due, clock, {})).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await failures()).toEqual([]);
  await closeDatabase(gone);
});

it('an invoice that somebody holds lets no other wait, in the queue and in the expiry; the queue waits for it in the end', async () => {
  const [held, free] = await makeInvoices(2);
  const [over, overHeld] = await makeInvoices(2, later(-3600));
  if (!held || !free || !over || !overHeld) throw new Error('Four were made.');
  for (const invoice of [held, free]) await makeDeposit(test.db.pool, { invoice, time: NOW });
  const holder = await test.db.pool.connect();
  await holder.query('BEGIN');
  await holder.query('SELECT 1 FROM invoice WHERE id = ANY($1) FOR UPDATE', [[held.id, overHeld.id]]);
  const draining = drain();
  await vi.waitFor(async () => expect(await statusOf(free)).toBe('paid'), 8_000);
  expect(await expireInvoices(dispatcher, clock)).toBe(1);
  expect(await Promise.all([held, over, overHeld].map(statusOf))).toEqual(['pending', 'expired', 'pending']);
  await holder.query('COMMIT');
  holder.release();
  expect((await draining).sort()).toEqual([held.uuid, free.uuid].sort());
  expect(await expireInvoices(dispatcher, clock)).toBe(1);
});

it('[C4] 50 callers of check, queue, expiry, force and resolve at once on 120 invoices: each change has one event, and nothing is lost or waits for ever', async () => {
  await makeApiKey(test.db.pool, { userId });
  const paid = await makeInvoices(40);
  const over = await makeInvoices(40, later(-3600));
  const late = await makeInvoices(20, later(-3600));
  const half = await makeInvoices(20);
  await expireInvoices(dispatcher, clock);
  await query('DELETE FROM webhook_delivery; DELETE FROM outgoing_mail');
  const reopened = await makeInvoices(20, later(-3600));
  for (const invoice of [...paid, ...late]) await makeDeposit(test.db.pool, { invoice, time: NOW });
  for (const invoice of half) await makeDeposit(test.db.pool, { invoice, time: NOW, amountUnits: DUE / 2n });
  await settleIsolated(
    watcher,
    late.map(({ id }) => ({ id, failures: 0 })),
    clock,
    {},
  );
  const pick = (invoices: MadeInvoice[], n: number) => invoices[n % invoices.length]?.uuid ?? '';
  const refusable = (call: Promise<unknown>) =>
    call.catch((error: { code?: string }) => {
      if (!['force_not_allowed', 'nothing_to_resolve'].includes(error.code ?? '')) throw error;
    });
  const caller = async (who: number) => {
    for (let n = who; n < who + 12; n += 1) {
      if (who % 10 === 0) await drain();
      else if (who % 10 === 1) await expireInvoices(dispatcher, clock);
      else if (who % 10 === 2) await refusable(forcePayment(web, userId, pick(half, n), clock));
      else if (who % 10 === 3)
        await refusable(resolveInvoice(web, userId, pick(late, n), { action: 'accept', note: null }, clock));
      else await checkPublicPayment(web, pick([...paid, ...half, ...reopened], n), clock);
    }
  };
  await Promise.all(Array.from({ length: 50 }, (_, who) => caller(who)));
  await drain();
  const outcome = await query(`SELECT i.status, count(DISTINCT i.id)::int AS invoices, count(e.id)::int AS events,
      count(d.id)::int AS deliveries
    FROM invoice i LEFT JOIN invoice_event e ON e.invoice_id = i.id AND e.type = 'invoice.statusChanged' AND e.to_status = i.status
      LEFT JOIN webhook_delivery d ON d.event_id = e.id GROUP BY i.status ORDER BY i.status`);
  expect(outcome).toEqual([
    { status: 'paid', invoices: 60, events: 60, deliveries: 60 },
    { status: 'forcePaid', invoices: 20, events: 20, deliveries: 20 },
    { status: 'expired', invoices: 60, events: 60, deliveries: 20 },
  ]);
  const gaps = await query(`SELECT invoice_id FROM invoice_event GROUP BY invoice_id HAVING max(sequence) <> count(*)`);
  expect([gaps, await failures(), await query('SELECT 1 FROM settlement_task')]).toEqual([[], [], []]);
  expect(over).toHaveLength(40);
});
