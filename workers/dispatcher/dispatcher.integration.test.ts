import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { notify } from '@/lib/db/channels';
import { makeUser } from '@/testing/factories';
import { type SmtpInbox, startSmtpInbox } from '@/testing/smtp-inbox';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { makeBareInvoice, makeDeliveries, makeInvoiceEvent, makeSigningApiKey } from '@/testing/webhook-factories';
import { startWebhookInbox, verifyWebhook, type WebhookInbox } from '@/testing/webhook-inbox';

const START_MS = 15_000;
const sealKey = randomBytes(32);
let database: TestDatabase;
let inbox: WebhookInbox;
let smtp: SmtpInbox;
let venues: Server;
const running: ChildProcess[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  inbox = await startWebhookInbox();
  smtp = await startSmtpInbox();
  venues = createServer((request, response) => {
    const kraken = { error: [], result: { XETHZEUR: { a: ['2501', '1', '1'], b: ['2499', '1', '1'] } } };
    const binance = [{ symbol: 'ETHEUR', bidPrice: '2500', askPrice: '2502' }];
    response.end(JSON.stringify(request.url?.startsWith('/0/') ? kraken : binance));
  }).listen(0, '127.0.0.1');
  await once(venues, 'listening');
});
afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(async () => {
  await Promise.all([inbox.close(), smtp.close()]);
  venues.close();
  await database.drop();
});

/** Starts the real process under its own database login. */
function startDispatcher(): { child: ChildProcess; output: () => string } {
  const venuesUrl = `http://127.0.0.1:${(venues.address() as AddressInfo).port}`;
  const child = spawn(process.execPath, ['--import', 'tsx', 'workers/main.ts', 'dispatcher'], {
    env: {
      NODE_ENV: 'test',
      INCASSA_MODE: 'embedded',
      DISPATCHER_DATABASE_URL: database.roleUrl('dispatcher'),
      APP_SEAL_KEY: sealKey.toString('base64'),
      KRAKEN_URL: venuesUrl,
      BINANCE_URL: venuesUrl,
      SMTP_URL: smtp.url,
      WEBHOOK_ALLOW_LOOPBACK: '1',
    },
  });
  running.push(child);
  let output = '';
  child.stdout?.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    output += chunk;
  });
  return { child, output: () => output };
}

const stopped = async (child: ChildProcess, signal: NodeJS.Signals) => {
  const exit = once(child, 'exit');
  child.kill(signal);
  return (await exit) as [number | null, NodeJS.Signals | null];
};

/** Enqueues an event for a key of its own and wakes the dispatcher, as a settlement does after its commit. */
async function emit(path: string) {
  const { pool } = database.db;
  const user = await makeUser(pool);
  const key = await makeSigningApiKey(pool, { userId: user.id, sealKey, webhookUrl: inbox.url(path) });
  const eventId = await makeInvoiceEvent(pool, await makeBareInvoice(pool, { userId: user.id, apiKeyId: key.id }));
  await makeDeliveries(pool, eventId, '{"a":1}');
  await notify(database.db, [{ channel: 'delivery' }]);
  return { user, key };
}

const arrivals = (path: string) => inbox.received.filter((webhook) => webhook.path === path);

test('the process keeps rates, sends webhooks and mails, tidies up, and ends with 0 within 5 seconds', async () => {
  const { pool } = database.db;
  const user = await makeUser(pool);
  await pool.query(`INSERT INTO session (id, user_id, expires_at) VALUES ($1, $2, now() - interval '1 minute')`, [
    randomUUID(),
    user.id,
  ]);
  inbox.answer('/gone', { status: 410 });
  const { child, output } = startDispatcher();
  const { key } = await emit('/works');
  const gone = await emit('/gone');
  await vi.waitFor(() => expect(arrivals('/works')).toHaveLength(1), START_MS);
  const [webhook] = arrivals('/works');
  if (webhook) expect(verifyWebhook(webhook, key.secret)).toEqual({ a: 1 });
  await vi.waitFor(
    () => expect(smtp.received.map(({ recipients }) => recipients[0])).toContain(gone.user.email),
    5_000,
  );
  await vi.waitFor(async () => {
    const { rows } = await pool.query(
      `SELECT rate::text, (SELECT count(*)::int FROM session) AS sessions FROM coin_rate`,
    );
    expect(rows).toEqual([{ rate: '2500.500000000000000000', sessions: 0 }]);
  }, 5_000);

  inbox.answer('/hangs', () => undefined);
  await emit('/hangs');
  await vi.waitFor(() => expect(arrivals('/hangs')).toHaveLength(1), 5_000);
  const begin = performance.now();
  expect(await stopped(child, 'SIGTERM')).toEqual([0, null]);
  expect(performance.now() - begin).toBeLessThan(5_000);
  expect(output()).not.toMatch(/loop failed|permission denied/);
  const { rows } = await pool.query(`SELECT lease_token FROM webhook_delivery WHERE url = $1`, [inbox.url('/hangs')]);
  expect(rows).toEqual([{ lease_token: null }]);
});

test('receivers that hang delay nobody else', async () => {
  startDispatcher();
  const hanging = Array.from({ length: 12 }, (_, index) => `/hanging-${index}`);
  for (const path of hanging) {
    inbox.answer(path, () => undefined);
    await emit(path);
  }
  await vi.waitFor(() => expect(hanging.map((path) => arrivals(path).length)).toEqual(hanging.map(() => 1)), START_MS);
  const begin = performance.now();
  await emit('/quick');
  await vi.waitFor(() => expect(arrivals('/quick')).toHaveLength(1), { timeout: 5_000, interval: 5 });
  expect(performance.now() - begin).toBeLessThan(1_000);
});

test('[D5] kill -9 between the receiver’s request and our note of it: the next process sends the same id', async () => {
  let answer: (() => void) | undefined;
  inbox.answer('/killed', (response) => {
    answer = () => response.writeHead(200).end();
  });
  const first = startDispatcher();
  const { key } = await emit('/killed');
  await vi.waitFor(() => expect(arrivals('/killed')).toHaveLength(1), START_MS);
  await stopped(first.child, 'SIGKILL');
  answer?.();
  const lapse = `UPDATE webhook_delivery SET lease_expires_at = now() - interval '1 second' WHERE api_key_id = $1 RETURNING status`;
  expect((await database.db.pool.query(lapse, [key.id])).rows).toEqual([{ status: 'pending' }]);
  startDispatcher();
  await vi.waitFor(() => expect(arrivals('/killed')).toHaveLength(2), START_MS);
  const ids = arrivals('/killed').map(({ headers }) => headers['webhook-id']);
  expect(ids[1]).toBe(ids[0]);
  await vi.waitFor(async () => {
    const { rows } = await database.db.pool.query('SELECT status FROM webhook_delivery WHERE api_key_id = $1', [
      key.id,
    ]);
    expect(rows).toEqual([{ status: 'delivered' }]);
  });
});

test('a bad command line or configuration ends the process with one sentence', async () => {
  const run = async (args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'workers/main.ts', ...args], {
      env: { NODE_ENV: 'test', INCASSA_MODE: 'embedded', ...env },
    });
    let errors = '';
    child.stderr.on('data', (chunk) => {
      errors += chunk;
    });
    const [code] = await once(child, 'close');
    return { code, errors };
  };
  expect(await run(['cook'], {})).toEqual({
    code: 1,
    errors: 'Name the roles to run, one or more of: watcher, dispatcher, signer.\n',
  });
  expect(await run(['dispatcher'], { RATE_REFRESH_MS: 'often' })).toEqual({
    code: 1,
    errors: 'Bad configuration: RATE_REFRESH_MS must be a number.\n',
  });
});
