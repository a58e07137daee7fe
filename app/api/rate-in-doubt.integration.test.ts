import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase } from '@/lib/db/database';
import { webDatabase } from '@/lib/db/web-database';
import { callRoute } from '@/testing/call-route';
import { makePool } from '@/testing/factories';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { POST as register } from './auth/register/route';
import { GET as readPrice } from './crypto/price/route';
import { GET as health } from './health/route';
import { POST as chooseCoin } from './invoices/public/[id]/crypto/route';
import { POST as createInvoice } from './invoices/route';

let database: TestDatabase;
let token: string;

beforeAll(async () => {
  database = await createTestDatabase();
  stubWebEnvironment(database.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  await makePool(database.db.pool, { count: 30 });
  await database.db.pool.query(
    `INSERT INTO chain_cursor (chain, genesis_hash, height, hash, chain_time, head_height, loaded_generation)
     VALUES ('ethereum', '0x0', 100, '0x1', now(), 100, 1000000)`,
  );
  const json = { name: 'Negozio', email: 'doubt@example.it', password: 'una lunga parola segreta' };
  token = String((await callRoute(register, { json })).body.token);
});
beforeEach(async () => {
  await database.db.pool.query(
    `UPDATE chain_cursor SET updated_at = now(), chain_time = now();
     INSERT INTO coin_rate (coin, rate, sources, fetched_at) VALUES ('ETH', 2500, '[]', now())
     ON CONFLICT (coin) DO UPDATE SET rate = 2500, fetched_at = now(), doubted_at = NULL`,
  );
});
afterAll(async () => {
  await closeDatabase(webDatabase());
  await database.drop();
});

const create = (cryptoType?: string) =>
  callRoute(createInvoice, {
    token,
    json: { description: 'Ordine', amountEuro: 25, expiryMinutes: 15, ...(cryptoType && { cryptoType }) },
  });
const choose = (uuid: string) => callRoute(chooseCoin, { json: { cryptoType: 'ETH' }, params: { id: uuid } });
const price = () => callRoute(readPrice, { path: '/api/crypto/price?symbol=ETH', token });
const change = (set: string) => database.db.pool.query(`UPDATE coin_rate SET ${set}`);
const refusal = async (answer: ReturnType<typeof create>) => {
  const { status, headers, body } = await answer;
  return { status, code: body.code, waits: Number(headers.get('retry-after')) > 0 };
};
const REFUSED = { status: 503, code: 'rate_unavailable', waits: true };
const sold = async () =>
  (await database.db.pool.query('SELECT count(*)::int AS n FROM invoice WHERE coin IS NOT NULL')).rows[0].n;

test.each([
  ['in doubt', 'doubted_at = now()', 'rate_in_doubt'],
  ['two hours ahead of the time', "rate = 9999, fetched_at = now() + interval '2 h'", 'rate_stale'],
])('a rate %s sells nothing, in no second, and health says why', async (_, set, problem) => {
  const { body: unpriced } = await create();
  // The web process has just read the good rate, and keeps it for a second: the database refuses what it sells by it.
  expect(await price()).toMatchObject({ status: 200 });
  const before = await sold();
  await change(set);
  expect(await refusal(create('ETH'))).toEqual(REFUSED);
  expect(await refusal(choose(String(unpriced.uuid)))).toEqual(REFUSED);
  await expect.poll(() => refusal(price()), { timeout: 5_000 }).toEqual(REFUSED);
  expect(await refusal(create('ETH'))).toEqual(REFUSED);
  expect(await sold()).toBe(before);
  expect((await callRoute(health)).body).toMatchObject({
    status: 'down',
    coins: [{ payable: false, problems: [problem] }],
  });

  await change('rate = 2100, doubted_at = NULL, fetched_at = now()');
  await expect.poll(async () => (await price()).status, { timeout: 5_000 }).toBe(200);
  expect(await create('ETH')).toMatchObject({ status: 201 });
  expect((await callRoute(health)).body).toMatchObject({ status: 'ok' });
});
