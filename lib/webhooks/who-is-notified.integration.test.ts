import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { makeBareInvoice, makeDeliveries, makeInvoiceEvent, makeSigningApiKey } from '@/testing/webhook-factories';

const sealKey = randomBytes(32);
let database: TestDatabase;
let userId: number;

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  userId = (await makeUser(database.db.pool)).id;
});
afterAll(() => database.drop());

const key = (webhookUrl: string | null, isActive = true) =>
  makeSigningApiKey(database.db.pool, { userId, sealKey, webhookUrl, isActive });

async function event(apiKeyId: number | null = null) {
  return makeInvoiceEvent(database.db.pool, await makeBareInvoice(database.db.pool, { userId, apiKeyId }));
}

const enqueue = (eventId: bigint) => makeDeliveries(database.db.pool, eventId);

const deactivate = (id: number) => database.db.pool.query('UPDATE api_key SET is_active = false WHERE id = $1', [id]);

async function deliveries(eventId: bigint) {
  const text = 'SELECT url, status FROM webhook_delivery WHERE event_id = $1 ORDER BY url';
  return (await database.db.pool.query(text, [eventId])).rows;
}

test('an invoice made with a key notifies that key alone', async () => {
  const { id } = await key('https://a.example/');
  await key('https://b.example/');
  const eventId = await event(id);
  expect(await enqueue(eventId)).toBe(1);
  expect(await deliveries(eventId)).toEqual([{ url: 'https://a.example/', status: 'pending' }]);
});

test('an invoice made on screen notifies every active key with a URL, and nobody else’s', async () => {
  await key('https://a.example/');
  await key('https://b.example/');
  await key(null);
  await key('https://dead.example/', false);
  const stranger = await makeUser(database.db.pool);
  await makeSigningApiKey(database.db.pool, { userId: stranger.id, sealKey, webhookUrl: 'https://stranger.example/' });
  const eventId = await event();
  expect(await enqueue(eventId)).toBe(2);
  expect((await deliveries(eventId)).map(({ url }) => url)).toEqual(['https://a.example/', 'https://b.example/']);
});

test('an invoice made with a key that is dead, or has no URL, notifies nobody', async () => {
  await key('https://other.example/');
  const dead = await key('https://dead.example/', false);
  const silent = await key(null);
  expect(await enqueue(await event(dead.id))).toBe(0);
  expect(await enqueue(await event(silent.id))).toBe(0);
});

test('only the event that is named is enqueued', async () => {
  const { id } = await key('https://a.example/');
  const [waiting, named] = [await event(id), await event(id)];
  expect(await enqueue(named)).toBe(1);
  expect(await deliveries(waiting)).toEqual([]);
});

test('an event is enqueued once, however often it is tried', async () => {
  const { id } = await key('https://a.example/');
  const eventId = await event(id);
  expect([await enqueue(eventId), await enqueue(eventId)]).toEqual([1, 0]);
  expect(await deliveries(eventId)).toHaveLength(1);
});

test('what is rolled back notifies nobody', async () => {
  const { id } = await key('https://a.example/');
  const eventId = await event(id);
  const work = transaction(database.db, async (sql) => {
    await makeDeliveries(sql, eventId);
    throw new Error('settlement failed');
  });
  await expect(work).rejects.toThrow('settlement failed');
  expect(await deliveries(eventId)).toEqual([]);
});

test('deactivating a key cancels what it was still to get, and leaves other keys alone', async () => {
  const [a, b] = [await key('https://a.example/'), await key('https://b.example/')];
  const eventId = await event();
  await enqueue(eventId);
  await deactivate(a.id);
  expect((await deliveries(eventId)).map(({ status }) => status)).toEqual(['cancelled', 'pending']);
  await deactivate(b.id);
  expect((await deliveries(eventId)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled']);
});

test('a key that was switched off stays off, whoever writes it', async () => {
  const { id } = await key('https://a.example/');
  await deactivate(id);
  await expect(database.db.pool.query('UPDATE api_key SET is_active = true WHERE id = $1', [id])).rejects.toThrow(
    'switched off for good',
  );
});

test('one event calls one host ten times at most, however many keys point there; other hosts are not cut', async () => {
  const eventId = await event();
  for (let n = 0; n < 12; n += 1) await key(`https://Same.example/${n}`);
  for (let n = 0; n < 3; n += 1) await key(`https://other.example:8443/${n}`);
  await enqueue(eventId);
  const hosts = (await deliveries(eventId)).map(({ url }) => new URL(url).host);
  expect(hosts.filter((host) => host === 'same.example')).toHaveLength(10);
  expect(hosts.filter((host) => host === 'other.example:8443')).toHaveLength(3);
});
