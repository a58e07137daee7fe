import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { expireInvoices } from './expire-invoices';

const NOW = new Date('2026-11-27T12:00:00Z');
const clock = () => NOW;

let database: TestDatabase;
let dispatcher: Database;

beforeAll(async () => {
  database = await createTestDatabase();
  dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 4, applicationName: 'test-expiry' });
});
afterAll(async () => {
  await closeDatabase(dispatcher);
  await database.drop();
});

test('an invoice that cannot be expired is named and holds up no other, however many come after it', async () => {
  const { pool } = database.db;
  const { id: userId } = await makeUser(pool);
  await makeCursor(pool, { height: 100n, time: NOW });
  const expiresAt = new Date(NOW.getTime() - 3_600_000);
  const broken = await makeInvoice(pool, { userId, expiresAt });
  const sound = await Promise.all(Array.from({ length: 3 }, () => makeInvoice(pool, { userId, expiresAt })));
  await pool.query(
    `CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'broken'; END $$;
     CREATE TRIGGER broken BEFORE UPDATE ON invoice FOR EACH ROW WHEN (OLD.id = ${broken.id}) EXECUTE FUNCTION fail()`,
  );
  await expect(expireInvoices(dispatcher, clock)).rejects.toThrow(`Invoices not expired: ${broken.id}.`);
  const statuses = await pool.query('SELECT status FROM invoice WHERE id = ANY($1)', [sound.map(({ id }) => id)]);
  expect(statuses.rows).toEqual(sound.map(() => ({ status: 'expired' })));
  await pool.query('DROP TRIGGER broken ON invoice; DROP FUNCTION fail');
  await pool.query('UPDATE settlement_failure SET next_try_at = now()');
  expect(await expireInvoices(dispatcher, clock)).toBe(1);
});
