import { randomBytes } from 'node:crypto';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ResolveName } from '@/lib/security/resolve-webhook-host';
import { addSeconds } from '@/lib/shared/time';
import { makeUser } from '@/testing/factories';
import { inItsTime } from '@/testing/in-its-time';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import {
  makeBareInvoice,
  makeDeliveries,
  makeInvoiceEvent,
  makeSigningApiKey,
  type SigningApiKey,
} from '@/testing/webhook-factories';
import { startWebhookInbox, verifyWebhook, type WebhookInbox } from '@/testing/webhook-inbox';
import { completeAttempt } from './complete-attempt';
import { type AddressedDelivery, deliver } from './deliver';
import { claimDeliveries, processDelivery } from './process-delivery';

const sealKey = randomBytes(32);
const logger = pino({ level: 'silent' });
let database: TestDatabase;
let inbox: WebhookInbox;
let user: { id: number; email: string };
let now = new Date();
let stop = new AbortController();

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  now = new Date();
  stop = new AbortController();
  inbox = await startWebhookInbox();
  await database.db.pool.query(`UPDATE webhook_delivery SET status = 'cancelled' WHERE status = 'pending'`);
  user = await makeUser(database.db.pool);
});
afterEach(() => inbox.close());
afterAll(() => database.drop());

const clock = () => now;
const advance = (seconds: number) => {
  now = addSeconds(now, seconds);
};
const tools = (more: { resolveName?: ResolveName; allowLoopback?: boolean } = {}) => ({
  sealKey,
  policy: { allowLoopback: more.allowLoopback ?? true, refusedPorts: [] },
  clock,
  stop: stop.signal,
  bodyOf: async (eventId: bigint) => JSON.stringify({ eventId: String(eventId) }),
  ...(more.resolveName && { resolveName: more.resolveName }),
});

const makeKey = (webhookUrl = inbox.url(), secret?: string) =>
  makeSigningApiKey(database.db.pool, {
    userId: user.id,
    sealKey,
    webhookUrl,
    ...(secret !== undefined && { secret }),
  });

/** Enqueues one event for a key. */
async function emit(key: SigningApiKey, body = '{"event":"invoice.statusChanged"}') {
  const invoiceId = await makeBareInvoice(database.db.pool, { userId: user.id, apiKeyId: key.id });
  const eventId = await makeInvoiceEvent(database.db.pool, invoiceId);
  await makeDeliveries(database.db.pool, eventId, body);
  advance(1);
}

const inTime = <T>(work: () => Promise<T>) => inItsTime(database.db.pool, 'webhook_delivery', now, work);
const claimAtOnce = (limit: number) => claimDeliveries(database.db.pool, { limit });
const claim = (limit = 10) => inTime(() => claimAtOnce(limit));
const processAll = async () => {
  const claimed = await claim();
  await Promise.all(claimed.map((delivery) => processDelivery(database.db, delivery, tools(), logger)));
  return claimed.length;
};

async function one(): Promise<AddressedDelivery> {
  const [delivery] = await claim(1);
  if (!delivery) throw new Error('Nothing was due.');
  const { url, body } = delivery;
  if (url === null || body === null) throw new Error('The delivery goes nowhere, or says nothing.');
  return { ...delivery, url, body };
}

async function stored(key: SigningApiKey) {
  const { rows } = await database.db.pool.query(
    `SELECT d.status, d.attempt_count, d.next_attempt_at, d.lease_token,
       array(SELECT json_build_object('number', number, 'status', http_status, 'error', error_code, 'response', response)
             FROM webhook_attempt a WHERE a.delivery_id = d.id ORDER BY number) AS attempts
     FROM webhook_delivery d WHERE d.api_key_id = $1 ORDER BY d.created_at, d.id`,
    [key.id],
  );
  return rows;
}

describe('a delivery that works', () => {
  test('[D4] arrives once with the exact body and a signature that the standardwebhooks package accepts', async () => {
    const key = await makeKey();
    const body = '{"event":"invoice.statusChanged","text":"però €"}';
    await emit(key, body);
    expect(await processAll()).toBe(1);
    expect(inbox.received).toHaveLength(1);
    const [webhook] = inbox.received;
    if (!webhook) throw new Error('nothing arrived');
    expect(webhook.body).toBe(body);
    expect(verifyWebhook(webhook, key.secret)).toEqual(JSON.parse(body));
    expect(webhook.headers['content-type']).toBe('application/json');
    expect(webhook.headers['webhook-timestamp']).toBe(String(Math.floor(now.getTime() / 1000)));
    expect(await processAll()).toBe(0);
    expect(await stored(key)).toMatchObject([{ status: 'delivered', attempt_count: 1, attempts: [{ status: 204 }] }]);
  });

  test('[D4] another secret, another body or an old timestamp does not verify', async () => {
    const key = await makeKey();
    await emit(key);
    await processAll();
    const [webhook] = inbox.received;
    if (!webhook) throw new Error('nothing arrived');
    expect(() => verifyWebhook(webhook, `whsec_${randomBytes(32).toString('base64')}`)).toThrow('No matching');
    expect(() => verifyWebhook({ ...webhook, body: `${webhook.body} ` }, key.secret)).toThrow('No matching');
    const headers = { ...webhook.headers, 'webhook-timestamp': String(Math.floor(now.getTime() / 1000) - 600) };
    expect(() => verifyWebhook({ ...webhook, headers }, key.secret)).toThrow('too old');
  });
});

describe('[D1] a delivery that does not', () => {
  test('is tried again under the same id with a timestamp of its own, and every answer is kept', async () => {
    const key = await makeKey();
    inbox.answer('/hook', { status: 500, body: `a\0${'x'.repeat(2_000)}` });
    await emit(key);
    await processAll();
    expect(await stored(key)).toMatchObject([
      { status: 'pending', attempt_count: 1, lease_token: null, attempts: [{ number: 1, status: 500 }] },
    ]);
    const [first] = await stored(key);
    expect(first.attempts[0].response).toBe(`a\uFFFD${'x'.repeat(998)}`);
    expect(first.next_attempt_at.getTime() - now.getTime()).toBeGreaterThanOrEqual(5_000);

    advance(4);
    expect(await processAll()).toBe(0);
    advance(2);
    expect(await processAll()).toBe(1);
    const [a, b] = inbox.received;
    expect(b?.headers['webhook-id']).toBe(a?.headers['webhook-id']);
    expect(Number(b?.headers['webhook-timestamp']) - Number(a?.headers['webhook-timestamp'])).toBe(6);
    if (b) expect(verifyWebhook(b, key.secret)).toBeTruthy();
    expect(await stored(key)).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
  });

  test('a redirect counts as a failure and is not followed', async () => {
    const key = await makeKey();
    inbox.answer('/hook', { status: 307, headers: { location: '/elsewhere' } });
    await emit(key);
    await processAll();
    expect(inbox.received.map(({ path }) => path)).toEqual(['/hook']);
    expect(await stored(key)).toMatchObject([{ status: 'pending', attempts: [{ status: 307 }] }]);
  });

  test('Retry-After of a 429 is honoured, that of a 500 is not', async () => {
    const [throttled, broken] = [await makeKey(inbox.url('/throttled')), await makeKey(inbox.url('/broken'))];
    inbox.answer('/throttled', { status: 429, headers: { 'retry-after': '90' } });
    inbox.answer('/broken', { status: 500, headers: { 'retry-after': '90' } });
    await emit(throttled);
    await emit(broken);
    await processAll();
    const waits = [...(await stored(throttled)), ...(await stored(broken))].map(
      (row) => (row.next_attempt_at.getTime() - now.getTime()) / 1000,
    );
    expect(waits[0]).toBe(90);
    expect(waits[1]).toBeLessThan(6);
  });

  test('410 switches the webhook off, cancels the rest and tells the owner; other endpoints go on', async () => {
    const key = await makeKey();
    const other = await makeKey(inbox.url('/other'));
    inbox.answer('/hook', { status: 410 });
    await emit(key);
    await emit(key);
    await emit(other);
    const delivery = (await claim(3)).find(({ apiKeyId }) => apiKeyId === key.id);
    if (!delivery) throw new Error('nothing claimed');
    await processDelivery(database.db, delivery, tools(), logger);
    const statuses = (await stored(key)).map(({ status }) => status).sort();
    expect(statuses).toEqual(['cancelled', 'failed']);
    const { rows } = await database.db.pool.query('SELECT webhook_url FROM api_key WHERE id = $1', [key.id]);
    expect(rows).toEqual([{ webhook_url: null }]);
    expect(await stored(other)).toMatchObject([{ status: 'pending' }]);
    const mails = await database.db.pool.query('SELECT subject, text FROM outgoing_mail WHERE recipient = $1', [
      user.email,
    ]);
    expect(mails.rows).toMatchObject([
      { subject: 'Webhook disattivato: Negozio', text: expect.stringContaining(inbox.url()) },
    ]);
  });

  test('four answers 410 of one key at once all end well: one has failed, the others are cancelled, one mail', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = await makeKey();
      inbox.answer('/hook', ...Array.from({ length: 4 }, () => ({ status: 410 })));
      for (let event = 0; event < 4; event += 1) await emit(key);
      expect(await processAll()).toBe(4);
      const rows = await stored(key);
      expect(rows.map(({ status }) => status).sort()).toEqual(['cancelled', 'cancelled', 'cancelled', 'failed']);
      const mails = await database.db.pool.query('SELECT 1 FROM outgoing_mail WHERE recipient = $1', [user.email]);
      expect(mails.rowCount).toBe(round + 1);
    }
  });

  test('410 leaves a URL that was changed meanwhile alone', async () => {
    const key = await makeKey();
    inbox.answer('/hook', { status: 410 });
    await emit(key);
    const delivery = await one();
    const attempt = await deliver(delivery, tools());
    await moveWebhook(key, inbox.url('/new'));
    if (!attempt) throw new Error('no attempt');
    expect(await completeAttempt(database.db, delivery, attempt, now, 0)).toBeNull();
    const { rows } = await database.db.pool.query('SELECT webhook_url FROM api_key WHERE id = $1', [key.id]);
    expect(rows).toEqual([{ webhook_url: inbox.url('/new') }]);
  });

  test('after eleven attempts it has failed, and the owner is told once', async () => {
    const key = await makeKey();
    inbox.answer('/hook', ...Array.from({ length: 11 }, () => ({ status: 500 })));
    await emit(key);
    for (let attempt = 0; attempt < 11; attempt += 1) {
      expect(await processAll()).toBe(1);
      advance(27 * 3600);
    }
    expect(await processAll()).toBe(0);
    expect(await stored(key)).toMatchObject([{ status: 'failed', attempt_count: 11 }]);
    const mails = await database.db.pool.query('SELECT subject FROM outgoing_mail WHERE recipient = $1', [user.email]);
    expect(mails.rows).toEqual([{ subject: 'Notifica webhook non consegnata: Negozio' }]);
  });

  test('an answer without end is cut and its status counts', async () => {
    const key = await makeKey();
    inbox.answer('/hook', (response) => {
      response.writeHead(200);
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
        if (!response.destroyed) response.once('drain', pour);
      };
      pour();
    });
    await emit(key);
    await processAll();
    const [row] = await stored(key);
    expect(row).toMatchObject({ status: 'delivered' });
    expect(row.attempts[0].response).toHaveLength(1_000);
  });

  test.each([
    ['a port where nobody listens', 'http://127.0.0.1:1/', 'connection'],
    ['a port that is not https', 'https', 'tls'],
  ])('%s is kept as what it is', async (_, url, error) => {
    const key = await makeKey(url === 'https' ? inbox.url().replace('http:', 'https:') : url);
    await emit(key);
    await processAll();
    expect(await stored(key)).toMatchObject([{ status: 'pending', attempts: [{ status: null, error }] }]);
  });
});

describe('[D3] where it may go is decided at each attempt', () => {
  const attemptAt = async (addresses: string[]) => {
    const resolveName = async () => addresses;
    const delivery = await one();
    const attempt = await deliver(delivery, tools({ resolveName, allowLoopback: false }));
    if (attempt) await completeAttempt(database.db, delivery, attempt, now, 0);
    return attempt;
  };

  test('a name that moved to loopback between creation and delivery is refused, and still is at the next attempt', async () => {
    const key = await makeKey('https://shop.example/hook');
    await emit(key);
    expect(await attemptAt(['127.0.0.1'])).toMatchObject({ errorCode: 'refused_address' });
    advance(6);
    expect(await attemptAt(['93.184.216.34', '::ffff:10.0.0.1'])).toMatchObject({ errorCode: 'refused_address' });
    expect(inbox.received).toEqual([]);
    expect(await stored(key)).toMatchObject([{ status: 'pending', attempt_count: 2 }]);
  });

  test('a URL that was fine when loopback was allowed is refused when it no longer is', async () => {
    await emit(await makeKey());
    expect(await attemptAt([])).toMatchObject({ errorCode: 'refused_address' });
    expect(inbox.received).toEqual([]);
  });

  test('a name that does not resolve is an error of the name', async () => {
    await emit(await makeKey('https://shop.example/hook'));
    const resolveName = () => Promise.reject(new Error('ENOTFOUND'));
    expect(await deliver(await one(), tools({ resolveName }))).toMatchObject({ errorCode: 'dns' });
  });
});

describe('[D4] a secret that cannot sign sends nothing', () => {
  test.each(['', 'whsec_'])('the empty secret %j', async (secret) => {
    await emit(await makeKey(inbox.url(), secret));
    expect(await deliver(await one(), tools())).toMatchObject({ errorCode: 'signing' });
    expect(inbox.received).toEqual([]);
  });

  test('a secret sealed for another key', async () => {
    const [key, other] = [await makeKey(), await makeKey()];
    await emit(key);
    const move = 'UPDATE api_key SET secret_sealed = (SELECT secret_sealed FROM api_key WHERE id = $2) WHERE id = $1';
    await database.db.pool.query(move, [key.id, other.id]);
    expect(await deliver(await one(), tools())).toMatchObject({ errorCode: 'signing' });
    expect(inbox.received).toEqual([]);
  });
});

describe('leases', () => {
  test('[D5] killed between the receiver’s 2xx and our note of it: the same id goes out again', async () => {
    const key = await makeKey();
    await emit(key);
    const first = await one();
    expect(await deliver(first, tools())).toMatchObject({ httpStatus: 204 });
    expect(await claim()).toEqual([]);
    advance(31);
    await processAll();
    expect(inbox.received.map(({ headers }) => headers['webhook-id'])).toEqual([first.id, first.id]);
    expect(await stored(key)).toMatchObject([{ status: 'delivered', attempt_count: 1 }]);
  });

  test('a worker that wakes up after its lease was taken over writes nothing', async () => {
    const key = await makeKey();
    await emit(key);
    const zombie = await one();
    const late = await deliver(zombie, tools());
    advance(31);
    const heir = await one();
    if (!late) throw new Error('no attempt');
    expect(await completeAttempt(database.db, zombie, { ...late, httpStatus: 500 }, now, 0)).toBeNull();
    expect(await completeAttempt(database.db, heir, late, now, 0)).toEqual({ status: 'delivered' });
    expect(await completeAttempt(database.db, heir, late, now, 0)).toBeNull();
    expect(await stored(key)).toMatchObject([{ status: 'delivered', attempts: [{ number: 1, status: 204 }] }]);
  });

  test('two dispatchers that claim at once never get the same delivery, and together get all', async () => {
    const keys = await Promise.all(Array.from({ length: 10 }, () => makeKey()));
    for (const key of keys) for (let n = 0; n < 4; n += 1) await emit(key);
    const claims = await inTime(() => Promise.all(Array.from({ length: 8 }, () => claimAtOnce(7))));
    const ids = claims.flat().map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    while (ids.length < 40) {
      const more = await claim(10);
      if (more.length === 0) break;
      ids.push(...more.map(({ id }) => id));
    }
    expect(new Set(ids).size).toBe(40);
  });

  test('of one key four are under way at most; the first of every key comes before the second of any', async () => {
    const busy = await makeKey();
    for (let n = 0; n < 6; n += 1) await emit(busy);
    const quiet = await makeKey(inbox.url('/quiet'));
    await emit(quiet);
    const firstTwo = await claim(2);
    expect(firstTwo.map(({ apiKeyId }) => apiKeyId).sort()).toEqual([busy.id, quiet.id].sort());
    const rest = await claim(10);
    expect(rest).toHaveLength(3);
    expect(await claim(10)).toEqual([]);
    for (const delivery of firstTwo) await processDelivery(database.db, delivery, tools(), logger);
    expect(await claim(10)).toHaveLength(1);
  });

  test('the process ends while a receiver is slow: the attempt is broken off, counts for nothing and is free at once', async () => {
    const key = await makeKey();
    inbox.answer('/hook', () => undefined);
    await emit(key);
    const delivery = await one();
    const work = processDelivery(database.db, delivery, tools(), logger);
    await vi.waitFor(() => expect(inbox.received).toHaveLength(1), 10_000);
    stop.abort();
    await work;
    expect(await stored(key)).toMatchObject([{ status: 'pending', attempt_count: 0, lease_token: null, attempts: [] }]);
    stop = new AbortController();
    await processAll();
    expect(inbox.received.map(({ headers }) => headers['webhook-id'])).toEqual([delivery.id, delivery.id]);
  });
});

const moveWebhook = (key: SigningApiKey, url: string | null) =>
  database.db.pool.query('UPDATE api_key SET webhook_url = $2 WHERE id = $1', [key.id, url]);

describe('a webhook that was moved', () => {
  test('gets what waits, under the same id, and the old address nothing more', async () => {
    const key = await makeKey();
    inbox.answer('/hook', { status: 500 });
    await emit(key);
    await processAll();
    await moveWebhook(key, inbox.url('/new'));
    advance(1);
    await processAll();
    expect(inbox.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
    expect(new Set(inbox.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(await stored(key)).toMatchObject([{ status: 'delivered', attempt_count: 2 }]);
  });

  test('while an attempt is under way: its outcome is not written, and the new address gets it', async () => {
    const key = await makeKey();
    await emit(key);
    const delivery = await one();
    const attempt = await deliver(delivery, tools());
    await moveWebhook(key, inbox.url('/new'));
    if (!attempt) throw new Error('no attempt');
    expect(await completeAttempt(database.db, delivery, attempt, now, 0)).toBeNull();
    advance(1);
    await processAll();
    expect(inbox.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
  });

  test('while its event was being written: the address that it has at the attempt counts', async () => {
    const key = await makeKey();
    await emit(key);
    await moveWebhook(key, inbox.url('/new'));
    await database.db.pool.query('UPDATE webhook_delivery SET url = $1', [inbox.url('/old')]);
    await processAll();
    expect(inbox.received.map(({ path }) => path)).toEqual(['/new']);
  });

  test('to nowhere: what waits is cancelled in the same moment', async () => {
    const key = await makeKey();
    await emit(key);
    await moveWebhook(key, null);
    expect(await stored(key)).toMatchObject([{ status: 'cancelled' }]);
    await processAll();
    expect(inbox.received).toEqual([]);
  });

  test('leaves other keys’ deliveries where they were', async () => {
    const [key, other] = [await makeKey(), await makeKey(inbox.url('/other'))];
    await emit(key);
    await emit(other);
    await moveWebhook(key, null);
    await processAll();
    expect(inbox.received.map(({ path }) => path)).toEqual(['/other']);
  });
});

test('a delivery without a text of its own sends what its event says, the same at every attempt', async () => {
  const key = await makeKey();
  inbox.answer('/hook', { status: 500 });
  const invoiceId = await makeBareInvoice(database.db.pool, { userId: user.id, apiKeyId: key.id });
  const eventId = await makeInvoiceEvent(database.db.pool, invoiceId);
  await makeDeliveries(database.db.pool, eventId);
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    advance(6);
    await processAll();
  }
  const body = JSON.stringify({ eventId: String(eventId) });
  expect(inbox.received.map((webhook) => webhook.body)).toEqual([body, body]);
});

describe('a key that was deactivated', () => {
  test('gets nothing of what was enqueued a moment too late', async () => {
    const key = await makeKey();
    await emit(key);
    await database.db.pool.query('UPDATE api_key SET is_active = false WHERE id = $1', [key.id]);
    await database.db.pool.query(
      `UPDATE webhook_delivery SET status = 'pending', completed_at = NULL WHERE api_key_id = $1`,
      [key.id],
    );
    await processAll();
    expect(inbox.received).toEqual([]);
    expect(await stored(key)).toMatchObject([{ status: 'cancelled' }]);
  });

  test('while an attempt is under way: the delivery stays cancelled', async () => {
    const key = await makeKey();
    await emit(key);
    const delivery = await one();
    const attempt = await deliver(delivery, tools());
    await database.db.pool.query('UPDATE api_key SET is_active = false WHERE id = $1', [key.id]);
    if (!attempt) throw new Error('no attempt');
    expect(await completeAttempt(database.db, delivery, attempt, now, 0)).toBeNull();
    expect(await stored(key)).toMatchObject([{ status: 'cancelled', attempts: [] }]);
  });
});

test('[D6] two events of one invoice are two deliveries with their own ids', async () => {
  const key = await makeKey();
  const invoiceId = await makeBareInvoice(database.db.pool, { userId: user.id, apiKeyId: key.id });
  for (const sequence of [1, 2]) {
    const eventId = await makeInvoiceEvent(database.db.pool, invoiceId, sequence);
    const body = JSON.stringify({ data: { sequence } });
    await makeDeliveries(database.db.pool, eventId, body);
  }
  advance(1);
  await processAll();
  expect(new Set(inbox.received.map(({ headers }) => headers['webhook-id'])).size).toBe(2);
  const sequences = inbox.received.map(({ body }) => JSON.parse(body).data.sequence);
  expect(sequences.sort()).toEqual([1, 2]);
});
