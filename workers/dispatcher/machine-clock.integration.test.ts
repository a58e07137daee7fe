import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addSeconds } from '@/lib/shared/time';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { shiftMachineClock, trueNow } from '@/testing/shift-machine-clock';
import { stubWebEnvironment, TEST_SEAL_KEY } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { makeBareInvoice, makeDeliveries, makeInvoiceEvent, makeSigningApiKey } from '@/testing/webhook-factories';
import { startWebhookInbox, type WebhookInbox } from '@/testing/webhook-inbox';
import { startDispatcher } from './start';

const PATIENCE = { timeout: 20_000, interval: 50 };
const HOUR = 3600;
/** Body of the webhook whose receiver fails; expiries are told beside it. */
const TOLD = '{"told":1}';
let database: TestDatabase;
let inbox: WebhookInbox;
let venues: Server;
let price = 2500;
let stop: AbortController;
let running: Promise<void>;

beforeAll(async () => {
  database = await createTestDatabase();
  inbox = await startWebhookInbox();
  venues = createServer((request, response) => {
    const text = String(price);
    const kraken = { error: [], result: { XETHZEUR: { a: [text, '1', '1'], b: [text, '1', '1'] } } };
    const binance = [{ symbol: 'ETHEUR', bidPrice: text, askPrice: text }];
    response.setHeader('date', trueNow().toUTCString());
    response.end(JSON.stringify(request.url?.startsWith('/0/') ? kraken : binance));
  }).listen(0, '127.0.0.1');
  await once(venues, 'listening');
  const url = `http://127.0.0.1:${(venues.address() as AddressInfo).port}`;
  stubWebEnvironment(database.roleUrl('web'), {
    DISPATCHER_DATABASE_URL: database.roleUrl('dispatcher'),
    KRAKEN_URL: url,
    BINANCE_URL: url,
    RATE_REFRESH_MS: '1000',
  });
});
beforeEach(async () => {
  await database.db.pool.query('DELETE FROM coin_rate');
  price = 2500;
});
afterEach(async () => {
  shiftMachineClock(0);
  stop.abort();
  await running;
});
afterAll(async () => {
  venues.close();
  await inbox.close();
  await database.drop();
});

const query = async (text: string, values: unknown[] = []) => (await database.db.pool.query(text, values)).rows[0];
const rate = () => query(`SELECT rate::float8, extract(epoch FROM now() - fetched_at)::float8 AS age FROM coin_rate`);

/** A webhook whose receiver fails, an invoice without a coin that is over and one that is not. */
async function makeWork() {
  const { pool } = database.db;
  const { id: userId } = await makeUser(pool);
  const webhookUrl = inbox.url(`/${userId}`);
  inbox.answer(`/${userId}`, { status: 500 });
  const apiKeyId = (await makeSigningApiKey(pool, { userId, sealKey: TEST_SEAL_KEY, webhookUrl })).id;
  const told = await makeBareInvoice(pool, { userId, apiKeyId });
  await makeDeliveries(pool, await makeInvoiceEvent(pool, told), TOLD);
  const [over, open] = [await makeBareInvoice(pool, { userId }), await makeBareInvoice(pool, { userId })];
  await pool.query(`UPDATE invoice SET expires_at = now() + interval '85 s' WHERE id = $1`, [open]);
  await pool.query(`UPDATE invoice SET expires_at = now() - interval '1 s' WHERE id = $1`, [over]);
  return { userId, apiKeyId, over, open };
}

test.each([-600, -90, 90, 600])(
  'a dispatcher on a machine that is %i s off keeps rates, retries and expiries to their time, also when its clock jumps',
  async (seconds) => {
    const { pool } = database.db;
    const { userId, apiKeyId, over, open } = await makeWork();
    // By the chain's time it is in time for another minute, and by nobody else's.
    const expiresAt = addSeconds(trueNow(), -HOUR);
    await makeCursor(pool, { time: addSeconds(expiresAt, 30) });
    const priced = await makeInvoice(pool, { userId, expiresAt });
    const status = async (id: number) => (await query('SELECT status FROM invoice WHERE id = $1', [id])).status;

    shiftMachineClock(seconds * 1000);
    stop = new AbortController();
    running = startDispatcher({ signal: stop.signal, logger: pino({ level: 'silent' }) });
    await vi.waitFor(async () => expect(await status(over)).toBe('expired'), PATIENCE);
    await vi.waitFor(async () => expect(await rate()).toMatchObject({ rate: 2500 }), PATIENCE);
    expect(Math.abs((await rate()).age)).toBeLessThan(30);

    const attempts = () => inbox.received.filter(({ path, body }) => path === `/${userId}` && body === TOLD);
    await vi.waitFor(() => expect(attempts()).toHaveLength(1), PATIENCE);
    const stamp = Number(attempts()[0]?.headers['webhook-timestamp']) * 1000;
    expect(Math.abs(stamp - trueNow().getTime())).toBeLessThan(20_000);

    shiftMachineClock(-seconds * 1000);
    price = 2600;
    await vi.waitFor(async () => expect(await rate()).toMatchObject({ rate: 2600 }), PATIENCE);
    expect(Math.abs((await rate()).age)).toBeLessThan(30);
    await vi.waitFor(() => expect(attempts()).toHaveLength(2), PATIENCE);
    const gap = await vi.waitFor(async () => {
      const noted = await query(
        `SELECT extract(epoch FROM max(started_at) - min(started_at))::float8 AS seconds FROM webhook_attempt a
         JOIN webhook_delivery d ON d.id = a.delivery_id
         WHERE d.api_key_id = $1 AND d.body = '${TOLD}' HAVING count(*) = 2`,
        [apiKeyId],
      );
      expect(noted).toBeDefined();
      return noted;
    }, PATIENCE);
    expect(gap.seconds).toBeGreaterThanOrEqual(5);
    expect(gap.seconds).toBeLessThan(15);

    expect([await status(open), await status(priced.id)]).toEqual(['pending', 'pending']);
    await makeCursor(pool, { time: addSeconds(expiresAt, 61) });
    await vi.waitFor(async () => expect(await status(priced.id)).toBe('expired'), PATIENCE);
  },
  60_000,
);
