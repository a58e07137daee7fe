import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { enqueueMail } from '@/lib/mail/enqueue-mail';
import { KEPT_DAYS } from '@/lib/shared/limits';
import { addSeconds } from '@/lib/shared/time';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { makeBareInvoice, makeDeliveries, makeInvoiceEvent, makeSigningApiKey } from '@/testing/webhook-factories';
import { tidyUp } from './run-housekeeping';

const DAY = 24 * 3600;
const now = new Date();
const daysAgo = (days: number) => addSeconds(now, -days * DAY);
let database: TestDatabase;
let dispatcher: Database;
let apiKeyId: number;
let userId: number;

beforeAll(async () => {
  database = await createTestDatabase();
  dispatcher = openDatabase(database.roleUrl('dispatcher'), { max: 2, applicationName: 'dispatcher' });
  userId = (await makeUser(database.db.pool)).id;
  const key = { userId, sealKey: randomBytes(32), webhookUrl: 'https://shop.example/' };
  apiKeyId = (await makeSigningApiKey(database.db.pool, key)).id;
});
beforeEach(() =>
  database.db.pool.query('TRUNCATE webhook_delivery, webhook_attempt, outgoing_mail, session, rate_limit'),
);
afterAll(async () => {
  await closeDatabase(dispatcher);
  await database.drop();
});

const tidy = (signal = new AbortController().signal) => tidyUp(dispatcher, { clock: () => now, signal });
const query = async (text: string, values?: unknown[]) => (await database.db.pool.query(text, values)).rows;

/** A delivery with one attempt, over since then (null: not over). @returns its id */
async function makeDelivery(status: string, completedAt: Date | null): Promise<string> {
  const eventId = await makeInvoiceEvent(
    database.db.pool,
    await makeBareInvoice(database.db.pool, { userId, apiKeyId }),
  );
  await makeDeliveries(database.db.pool, eventId, '{}');
  const [row] = await query(
    `UPDATE webhook_delivery SET status = $2::delivery_status, completed_at = $3, created_at = $4 WHERE event_id = $1
     RETURNING id`,
    [eventId, status, completedAt, daysAgo(400)],
  );
  await query(`INSERT INTO webhook_attempt (delivery_id, number, started_at, duration_ms) VALUES ($1, 1, $2, 5)`, [
    row.id,
    daysAgo(400),
  ]);
  return row.id;
}

test('deliveries that are over go after 90 days with their attempts; younger and pending ones stay, and so do events', async () => {
  const { webhookDeliveries } = KEPT_DAYS;
  for (const status of ['delivered', 'failed', 'cancelled']) await makeDelivery(status, daysAgo(webhookDeliveries + 1));
  const kept = [
    await makeDelivery('failed', daysAgo(webhookDeliveries - 1)),
    await makeDelivery('pending', null),
  ].sort();
  expect(await tidy()).toMatchObject({ webhook_delivery: 3 });
  expect((await query('SELECT id FROM webhook_delivery ORDER BY id::text')).map(({ id }) => id)).toEqual(kept);
  expect(
    (await query('SELECT delivery_id AS id FROM webhook_attempt ORDER BY delivery_id::text')).map(({ id }) => id),
  ).toEqual(kept);
  expect(await query('SELECT count(*)::int AS events FROM invoice_event')).toEqual([{ events: 5 }]);
});

test('more than a batch goes in several statements, and a stop ends between two', async () => {
  const eventId = await makeInvoiceEvent(
    database.db.pool,
    await makeBareInvoice(database.db.pool, { userId, apiKeyId }),
  );
  // One delivery per event and key: as many keys as rows.
  await query(
    `WITH k AS (INSERT INTO api_key (user_id, name, key_hash, key_mask, key_sealed, secret_sealed)
       SELECT $1, 'k', md5(n::text) || md5(n::text), 'm', '\\x00', '\\x00' FROM generate_series(1, 2500) n RETURNING id)
     INSERT INTO webhook_delivery (event_id, api_key_id, url, body, status, completed_at)
     SELECT $2, k.id, 'https://shop.example/', '{}', 'delivered', $3 FROM k`,
    [userId, eventId, daysAgo(200)],
  );
  const stop = new AbortController();
  stop.abort();
  expect(await tidy(stop.signal)).toMatchObject({ webhook_delivery: 0 });
  expect(await tidy()).toMatchObject({ webhook_delivery: 2500 });
});

test('of a mail that is over, recipient and words are erased after 90 days; its key stays, so that it is never sent again', async () => {
  const mail = { recipient: 'cliente@example.com', subject: 'Ricevuta', text: 'Grazie.' };
  for (const dedupeKey of ['old', 'refused', 'young', 'waiting'])
    await enqueueMail(database.db.pool, { ...mail, dedupeKey });
  await query(`UPDATE outgoing_mail SET created_at = $1`, [daysAgo(KEPT_DAYS.mailContents + 1)]);
  await query(`UPDATE outgoing_mail SET status = 'delivered', sent_at = created_at WHERE dedupe_key = 'old'`);
  await query(
    `UPDATE outgoing_mail SET status = 'failed', last_error = '550 cliente@example.com' WHERE dedupe_key = 'refused'`,
  );
  await query(`UPDATE outgoing_mail SET status = 'delivered', sent_at = $1 WHERE dedupe_key = 'young'`, [daysAgo(1)]);
  expect(await tidy()).toMatchObject({ outgoing_mail: 2 });
  expect(await tidy()).toMatchObject({ outgoing_mail: 0 });
  const erased = { recipient: '', subject: '', text: '', last_error: null };
  expect(
    await query('SELECT dedupe_key, recipient, subject, text, last_error FROM outgoing_mail ORDER BY dedupe_key'),
  ).toEqual([
    { dedupe_key: 'old', ...erased },
    { dedupe_key: 'refused', ...erased },
    { dedupe_key: 'waiting', ...mail, last_error: null },
    { dedupe_key: 'young', ...mail, last_error: null },
  ]);
  expect(await enqueueMail(database.db.pool, { ...mail, dedupeKey: 'old' })).toBe(false);
});

test('sessions go when they have run out or nobody used them for half a day, counters when they have run out', async () => {
  const insert = 'INSERT INTO session (id, user_id, expires_at, last_seen_at) VALUES ($1, $2, $3, $4)';
  for (const [expiresAt, lastSeenAt] of [
    [daysAgo(0), now],
    [addSeconds(now, 60), daysAgo(0.5)],
    [addSeconds(now, 60), daysAgo(0.49)],
  ])
    await query(insert, [randomUUID(), userId, expiresAt, lastSeenAt]);
  await query(`INSERT INTO rate_limit (key, points, expire) VALUES ('a', 1, $1), ('b', 1, $2)`, [
    now.getTime(),
    now.getTime() + 600_000,
  ]);
  expect(await tidy()).toMatchObject({ session: 2, rate_limit: 1 });
});

test('records of a reveal go after two years', async () => {
  await query(
    `INSERT INTO api_key_audit (api_key_id, user_id, action, at) VALUES ($1, $2, 'reveal', $3), ($1, $2, 'reveal', $4)`,
    [apiKeyId, userId, daysAgo(KEPT_DAYS.keyAudits + 1), daysAgo(KEPT_DAYS.keyAudits - 1)],
  );
  expect(await tidy()).toMatchObject({ api_key_audit: 1 });
  expect(await query('SELECT at FROM api_key_audit')).toEqual([{ at: daysAgo(KEPT_DAYS.keyAudits - 1) }]);
});

test('an outage goes after 90 days, unless an invoice was open in it: its end was moved by it', async () => {
  const { pool } = database.db;
  await makeCursor(pool);
  const { id } = await makeInvoice(pool, { userId });
  const [long, hour] = [KEPT_DAYS.outages + 30, 1 / 24];
  await query('UPDATE invoice SET created_at = $2, expires_at = $3 WHERE id = $1', [
    id,
    daysAgo(long),
    daysAgo(long - hour),
  ]);
  const outages = [
    { chain: 'ethereum', from: long + hour, to: long - hour / 2 },
    { chain: 'bsc', from: long + hour, to: long - hour / 2 },
    { chain: 'ethereum', from: long + 2 * hour, to: long + hour },
    { chain: 'ethereum', from: long - hour, to: long - 2 * hour },
    { chain: 'ethereum', from: KEPT_DAYS.outages - 1, to: KEPT_DAYS.outages - 2 },
  ];
  for (const { chain, from, to } of outages)
    await query('INSERT INTO watcher_outage (chain, started_at, ended_at) VALUES ($1::chain, $2, $3)', [
      chain,
      daysAgo(from),
      daysAgo(to),
    ]);
  expect(await tidy()).toMatchObject({ watcher_outage: 3 });
  expect(await query('SELECT started_at FROM watcher_outage ORDER BY id')).toEqual(
    [outages[0], outages[4]].map((outage) => ({ started_at: daysAgo(outage?.from ?? 0) })),
  );
});
