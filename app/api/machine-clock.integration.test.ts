import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { closeDatabase } from '@/lib/db/database';
import { webDatabase } from '@/lib/db/web-database';
import { callRoute } from '@/testing/call-route';
import { makePool } from '@/testing/factories';
import { shiftMachineClock } from '@/testing/shift-machine-clock';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { POST as register } from './auth/register/route';
import { GET as health } from './health/route';
import { GET as readInvoice } from './invoices/[id]/route';
import { POST as createInvoice } from './invoices/route';

const MINUTES = 15;
const SHIFTS = [-600, -90, 90, 600];
let database: TestDatabase;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  await makePool(database.db.pool, { count: 30 });
});
afterEach(() => shiftMachineClock(0));
afterAll(async () => {
  await closeDatabase(webDatabase());
  await database.drop();
});

/** What the other processes write, by the database's clock. */
async function othersWork(): Promise<void> {
  await database.db.pool.query(
    `INSERT INTO chain_cursor (chain, genesis_hash, height, hash, chain_time, head_height, loaded_generation, looked_at)
       VALUES ('ethereum', '0x0', 100, '0x1', now(), 100, 1000000, now())
       ON CONFLICT (chain) DO UPDATE SET chain_time = now(), updated_at = now(), looked_at = now();
     INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ('ETH', 2500, '[]', now())
       ON CONFLICT (coin) DO UPDATE SET fetched_at = now()`,
  );
}

async function newInvoice(cryptoType?: string): Promise<{ id: string; secondsLeft: number; serverTime: string }> {
  const json = { description: 'Ordine', amountEuro: 25, expiryMinutes: MINUTES, ...(cryptoType && { cryptoType }) };
  const { status, body } = await callRoute(createInvoice, { token, json });
  expect([status, body]).toMatchObject([201, { status: 'pending' }]);
  const { rows } = await database.db.pool.query(
    `SELECT extract(epoch FROM expires_at - now())::float8 AS left FROM invoice WHERE id = $1`,
    [Number(body.id)],
  );
  return { id: String(body.id), secondsLeft: rows[0].left, serverTime: String(body.serverTime) };
}

async function databaseTime(): Promise<Date> {
  return (await database.db.pool.query('SELECT now() AS now')).rows[0].now;
}

describe('a web process on a machine whose clock is wrong', () => {
  beforeAll(async () => {
    shiftMachineClock(600_000);
    const json = { name: 'Negozio', email: 'clock@example.it', password: 'una lunga parola segreta' };
    token = String((await callRoute(register, { json })).body.token);
    shiftMachineClock(0);
  });

  test.each(SHIFTS)('%i s: an invoice has all its time, whatever the clock does meanwhile', async (seconds) => {
    await othersWork();
    for (const shift of [seconds, -seconds]) {
      shiftMachineClock(shift * 1000);
      for (const coin of [undefined, 'ETH']) {
        const { id, secondsLeft, serverTime } = await newInvoice(coin);
        expect(secondsLeft).toBeGreaterThan(MINUTES * 60 - 20);
        expect(secondsLeft).toBeLessThanOrEqual(MINUTES * 60);
        expect(Math.abs(Date.parse(serverTime) - (await databaseTime()).getTime())).toBeLessThan(20_000);
        const { body } = await callRoute(readInvoice, { token, params: { id } });
        expect(body).toMatchObject({ status: 'pending', paymentState: 'unpaid' });
      }
    }
  });

  test.each(SHIFTS)('%i s: health and prices have the ages that they have', async (seconds) => {
    await othersWork();
    shiftMachineClock(seconds * 1000);
    const { body } = await callRoute(health);
    expect(body).toMatchObject({ status: 'ok', coins: [{ problems: [] }] });
    const [coin] = body.coins as { rateAgeSeconds: number; cursorAgeSeconds: number }[];
    expect(Math.max(coin?.rateAgeSeconds ?? 99, coin?.cursorAgeSeconds ?? 99)).toBeLessThan(20);
  });

  test.each([-8 * 86_400, 8 * 86_400])('%i s: a session that lives throws nobody out', async (seconds) => {
    shiftMachineClock(seconds * 1000);
    const { id } = await newInvoice();
    expect(await callRoute(readInvoice, { token, params: { id } })).toMatchObject({ status: 200 });
  });

  test('a session that is over by the database’s time is over', async () => {
    shiftMachineClock(-600_000);
    await database.db.pool.query(`UPDATE session SET expires_at = now() - interval '1 s'`);
    const { status } = await callRoute(readInvoice, { token, params: { id: '1' } });
    expect(status).toBe(401);
  });
});
