import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { setPaymentRules } from '@/lib/auth/payment-rules';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { queueRecentDeposits } from '@/lib/deposits/queue-repository';
import { attachDeposit } from '@/lib/deposits/unattributed';
import { type MadeInvoice, makeCursor, makeDeposit, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { drainSettlements } from './drain-settlements';
import { resolveInvoice } from './resolve-invoice';
import { settleInvoice } from './settle-invoice';

const NOW = new Date('2026-11-27T12:00:00Z');
const clock = () => NOW;
const expiresAt = new Date(NOW.getTime() - 3_600_000);

let test: TestDatabase;
let watcher: Database;
let web: Database;
let userId: number;

beforeAll(async () => {
  test = await createTestDatabase();
  watcher = openDatabase(test.roleUrl('watcher'), { max: 4, applicationName: 'watcher' });
  web = openDatabase(test.roleUrl('web'), { max: 4, applicationName: 'web' });
});
afterAll(async () => {
  await Promise.all([closeDatabase(watcher), closeDatabase(web)]);
  await test.drop();
});
beforeEach(async () => {
  userId = (await makeUser(test.db.pool)).id;
  await makeCursor(test.db.pool, { height: 100n, time: NOW });
});

const drain = () => drainSettlements(watcher, 'ethereum', clock);
/** A watcher that starts: it queues what an earlier one may have left undecided. */
const restart = async () => {
  await queueRecentDeposits(watcher.pool, 'ethereum');
  await drain();
};
const setPolicy = (latePolicy: 'review' | 'accept', tolerancePercent = 0) =>
  setPaymentRules(web, userId, { latePolicy, tolerancePercent });
const stateOf = async ({ id }: MadeInvoice) =>
  (await test.db.pool.query('SELECT status, payment_state AS state FROM invoice WHERE id = $1', [id])).rows[0];

/** Late money that is confirmed and booked now, by the database's time, as the watcher does it. */
async function payLate(invoice: MadeInvoice, amountUnits?: bigint): Promise<string> {
  const { id } = await makeDeposit(test.db.pool, { invoice, time: NOW, ...(amountUnits && { amountUnits }) });
  await test.db.pool.query('UPDATE deposit SET posted_at = clock_timestamp() WHERE id = $1', [id]);
  // Moments are told apart by the millisecond, and a booking's may be rounded up to the next.
  const isOver = "SELECT clock_timestamp() > posted_at + interval '1 ms' AS over FROM deposit WHERE id = $1";
  while (!(await test.db.pool.query(isOver, [id])).rows[0]?.over);
  return id;
}

const lateInvoice = () => makeInvoice(test.db.pool, { userId, expiresAt });

it('late money of before the policy stays late, through restarts and checks: its owner can take it by hand', async () => {
  const invoice = await lateInvoice();
  await payLate(invoice);
  await drain();
  expect(await stateOf(invoice)).toEqual({ status: 'expired', state: 'late' });
  await setPolicy('accept');
  await restart();
  await restart();
  await settleInvoice(web, invoice.id, clock);
  expect(await stateOf(invoice)).toEqual({ status: 'expired', state: 'late' });
  await resolveInvoice(web, userId, invoice.uuid, { action: 'accept', note: null }, clock);
  expect(await stateOf(invoice)).toEqual({ status: 'paid', state: 'settled' });
});

it('late money that is confirmed from the change on pays, also when it was seen before', async () => {
  const invoice = await lateInvoice();
  const { id } = await makeDeposit(test.db.pool, { invoice, time: NOW, height: 101n });
  await drain();
  expect(await stateOf(invoice)).toEqual({ status: 'expired', state: 'late' });
  await setPolicy('accept');
  await makeCursor(test.db.pool, { height: 101n, time: NOW });
  await test.db.pool.query('UPDATE deposit SET posted_at = clock_timestamp() WHERE id = $1', [id]);
  await restart();
  expect(await stateOf(invoice)).toEqual({ status: 'paid', state: 'settled' });
});

it('money without a wallet that is given to an invoice from the change on pays it, however old it is', async () => {
  const invoice = await lateInvoice();
  const id = await payLate(invoice);
  await test.db.pool.query('UPDATE deposit SET wallet_id = NULL, posted_at = NULL WHERE id = $1', [id]);
  await drain();
  await test.db.pool.query(`UPDATE deposit SET posted_at = '2026-01-01' WHERE id = $1`, [id]);
  await test.db.pool.query(
    `INSERT INTO ledger_account (coin, kind) VALUES ('ETH', 'unattributed') ON CONFLICT DO NOTHING`,
  );
  await setPolicy('accept');
  await attachDeposit(web, { depositId: id, target: invoice.uuid, operator: 'anna', note: null });
  await drain();
  expect(await stateOf(invoice)).toEqual({ status: 'paid', state: 'settled' });
});

it('a policy that is saved again as it was is no new policy, and one that came back is', async () => {
  const since = async () =>
    (await test.db.pool.query('SELECT late_policy_since AS at FROM user_account WHERE id = $1', [userId])).rows[0]?.at;
  const made = await since();
  await setPolicy('accept');
  const accepted = await since();
  expect(accepted.getTime()).toBeGreaterThanOrEqual(made.getTime());
  const invoice = await lateInvoice();
  await payLate(invoice, 5n * 10n ** 15n);
  await setPolicy('accept', 1);
  expect(await since()).toEqual(accepted);
  await payLate(invoice, 5n * 10n ** 15n);
  await drain();
  expect(await stateOf(invoice)).toEqual({ status: 'paid', state: 'settled' });
  const other = await lateInvoice();
  await setPolicy('review');
  await payLate(other);
  await setPolicy('accept');
  await restart();
  expect(await stateOf(other)).toEqual({ status: 'expired', state: 'late' });
});

it('late money that a reorg took and brought back is not booked anew: its owner was asked, and still decides', async () => {
  const invoice = await lateInvoice();
  const id = await payLate(invoice);
  await test.db.pool.query('UPDATE deposit SET first_posted_at = posted_at WHERE id = $1', [id]);
  await drain();
  await setPolicy('accept');
  for (const posted of ['NULL', 'clock_timestamp()']) {
    await test.db.pool.query(`UPDATE deposit SET posted_at = ${posted} WHERE id = $1`, [id]);
    await restart();
    expect(await stateOf(invoice)).toEqual({ status: 'expired', state: 'late' });
  }
});
