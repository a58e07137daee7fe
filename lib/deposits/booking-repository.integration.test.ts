import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { makeSpecialDeposit, ON_BSC, WAITS } from '@/testing/special-deposits';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { lockConfirmedUnbooked, lockLostBooked, markBooked, markUnbooked } from './booking-repository';

const UP_TO = { chain: 'ethereum', epoch: 0, height: 100n, confirmedHeight: 90n } as const;
const NOW = new Date('2026-11-28T12:00:00Z');

let database: TestDatabase;
const ids = new Map<string, string>();

/** Deposits by what is particular about them, as columns. */
const DEPOSITS: Record<string, string> = {
  confirmed: '',
  'confirmed later': 'block_height = 91',
  'needs more': 'extra_confirmations = 12',
  'has as many': 'extra_confirmations = 11',
  'of another chain': ON_BSC,
  'of another epoch': 'epoch = 1',
  booked: 'posted_at = now(), bookings = 1',
  'not in a block': WAITS,
  orphaned: 'orphaned_at = now()',
  lost: 'posted_at = now(), bookings = 1, orphaned_at = now()',
  'lost on another chain': `posted_at = now(), bookings = 1, orphaned_at = now(), ${ON_BSC}`,
  'lost in another epoch': 'posted_at = now(), bookings = 1, orphaned_at = now(), epoch = 1',
};

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database.db;
  await makeCursor(pool);
  const invoice = await makeInvoice(pool, { userId: (await makeUser(pool)).id });
  for (const [name, columns] of Object.entries(DEPOSITS)) {
    ids.set(name, String(await makeSpecialDeposit(pool, { invoice, height: 90n, time: NOW }, columns)));
  }
});
afterAll(() => database.drop());
const named = (rows: readonly { id: bigint | string }[]) =>
  rows.map(({ id }) => [...ids].find(([, known]) => String(known) === String(id))?.[0]);
const held = async () =>
  named(
    (
      await database.db.pool.query<{ id: string }>(
        'SELECT id FROM deposit WHERE id <> ALL(ARRAY(SELECT id FROM deposit FOR UPDATE SKIP LOCKED)) ORDER BY id',
      )
    ).rows,
  );

test('what is booked is confirmed, unbooked and on the chain that is read, and is kept from everybody else', async () => {
  await transaction(database.db, async (sql) => {
    const due = ['confirmed', 'has as many'];
    expect(named(await lockConfirmedUnbooked(sql, UP_TO))).toEqual(due);
    expect(await held()).toEqual(due);
  });
});

test('what is taken back was booked and is off the chain that is read, and is kept from everybody else', async () => {
  await transaction(database.db, async (sql) => {
    expect(named(await lockLostBooked(sql, 'ethereum', 0))).toEqual(['lost']);
    expect(await held()).toEqual(['lost']);
  });
});

test('a booking is noted of the deposits that it booked, and counted, and so is its end; the first one’s date stays', async () => {
  const { pool } = database.db;
  const stored = async () => {
    const { rows } = await pool.query(
      'SELECT id, posted_at IS NOT NULL AS "isBooked", bookings FROM deposit ORDER BY id',
    );
    return Object.fromEntries(rows.map(({ id, ...row }) => [String(named([{ id }])[0]), row]));
  };
  const before = await stored();
  const [first] = await lockConfirmedUnbooked(pool, UP_TO);
  if (!first) throw new Error('nothing is due');
  await markBooked(pool, [first], NOW);
  expect(await stored()).toEqual({ ...before, confirmed: { isBooked: true, bookings: 1 } });
  await markUnbooked(pool, [first]);
  await markBooked(pool, [first], new Date(NOW.getTime() + 60_000));
  const { rows } = await pool.query('SELECT first_posted_at AS first, posted_at AS last FROM deposit WHERE id = $1', [
    first.id,
  ]);
  expect(rows).toEqual([{ first: NOW, last: new Date(NOW.getTime() + 60_000) }]);
  await markUnbooked(pool, [first]);
  expect(await stored()).toEqual({ ...before, confirmed: { isBooked: false, bookings: 2 } });
});
