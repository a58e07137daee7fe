import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { makeSpecialDeposit } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { loadFacts } from './settlement-facts-repository';

const NOW = new Date('2026-11-27T12:00:00Z');
const after = (seconds: number) => new Date(NOW.getTime() + seconds * 1000);
const EXPIRES = after(3600);

let database: TestDatabase;
let invoice: MadeInvoice;
let other: MadeInvoice;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  const { pool } = database.db;
  await emptyTables(pool);
  await pool.query('TRUNCATE watcher_outage');
  const userId = (await makeUser(pool)).id;
  await makeCursor(pool, { time: NOW });
  const open = async () => {
    const made = await makeInvoice(pool, { userId, expiresAt: EXPIRES });
    await run('UPDATE invoice SET created_at = $2 WHERE id = $1', [made.id, NOW]);
    return made;
  };
  [invoice, other] = [await open(), await open()];
});

const run = (text: string, values: unknown[] = []) => database.db.pool.query(text, values);

async function facts() {
  const [loaded] = await loadFacts(database.db.pool, [invoice.id]);
  if (!loaded) throw new Error('nothing was loaded');
  return loaded;
}

/** What the database itself makes of the facts, where it lets a decision through. */
async function inDatabase() {
  const text = 'SELECT f.received, f.counted, f.until FROM invoice i, invoice_facts(i) f WHERE i.id = $1';
  return (await run(text, [invoice.id])).rows[0];
}

const pay = (units: bigint, columns?: string, to = invoice) =>
  makeSpecialDeposit(database.db.pool, { invoice: to, amountUnits: units, time: NOW }, columns);

const give = (deposit: bigint, at: Date) =>
  run("INSERT INTO deposit_attribution (deposit_id, wallet_id, operator, at) VALUES ($1, $2, 'anna', $3)", [
    deposit,
    invoice.walletId,
    at,
  ]);

test('an outage counts as far as the invoice was open; those before, after and of another chain add and take nothing', async () => {
  const outages = [
    ['ethereum', -5000, -1],
    ['ethereum', -100, 10],
    ['ethereum', 600, 620],
    ['ethereum', 3590, 9000],
    ['ethereum', 3601, 9999],
    ['bsc', 100, 200],
  ] as const;
  for (const [chain, from, to] of outages)
    await run('INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ($1, $2, $3)', [
      ...[chain, after(from), after(to)],
    ]);
  expect((await facts()).downtimeSeconds).toBe(10 + 20 + 10);
  const grace = CHAIN_INFO.ethereum.inclusionGraceSeconds;
  expect(await inDatabase()).toMatchObject({ until: after(3600 + grace + 40) });
});

test('a policy takes what was booked since it holds, and what waits for its booking; a gift counts from its last one', async () => {
  const since = after(9000);
  await run("UPDATE user_account SET late_policy = 'accept'");
  await run('UPDATE user_account SET late_policy_since = $1', [since]);
  const late = `block_time = '${after(8000).toISOString()}', seen_at = '${after(8000).toISOString()}'`;
  const booked = (seconds: number) =>
    `${late}, bookings = 1, posted_at = '${after(seconds).toISOString()}', first_posted_at = '${after(seconds).toISOString()}'`;
  await pay(1n, booked(9000));
  await pay(2n, booked(8999));
  const given = await pay(4n, booked(8500));
  await give(given, after(9500));
  await give(given, after(8600));
  await give(await pay(8n, late), after(8700));
  expect(await inDatabase()).toMatchObject({ received: 15n, counted: 1n + 4n + 8n });
});

test('money is that of the invoice’s own wallet and of the epoch in which it was priced', async () => {
  await pay(1n);
  await pay(2n, 'epoch = 1');
  await pay(4n, undefined, other);
  expect((await facts()).deposits.map(({ amountUnits }) => amountUnits)).toEqual([1n]);
});

test('money is booked since its first booking, and what an operator gave since it was given last', async () => {
  const booked = (seconds: number) => `posted_at = '${after(seconds + 500).toISOString()}', bookings = 2,
    first_posted_at = '${after(seconds).toISOString()}'`;
  await pay(1n, booked(10));
  await give(await pay(2n, booked(20)), after(5));
  const given = await pay(3n, booked(30));
  await give(given, after(40));
  await give(given, after(35));
  await give(await pay(4n), after(50));
  await pay(5n, `posted_at = '${after(60).toISOString()}', bookings = 1, first_posted_at = NULL`);
  const bookedAt = (await facts()).deposits.map((deposit) => [deposit.amountUnits, deposit.bookedAt]);
  expect(new Map(bookedAt as [bigint, Date | null][])).toEqual(
    new Map([
      [1n, after(10)],
      [2n, after(20)],
      [3n, after(40)],
      [4n, null],
      [5n, after(60)],
    ]),
  );
});

test('the tasks that the facts answer are those of the wallet', async () => {
  await pay(1n);
  await pay(1n, undefined, other);
  const { rows } = await run('SELECT id FROM settlement_task WHERE wallet_id = $1', [invoice.walletId]);
  expect((await facts()).taskIds).toEqual(rows.map(({ id }) => BigInt(id)));
});
