import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { addSeconds } from '@/lib/shared/time';
import { inItsTime } from '@/testing/in-its-time';
import { type SmtpInbox, startSmtpInbox } from '@/testing/smtp-inbox';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { enqueueMail } from './enqueue-mail';
import { createMailer, type Mailer } from './mailer';
import { claimMails, processMail } from './process-mail';

let database: TestDatabase;
let smtp: SmtpInbox;
let mailer: Mailer;
let now = new Date();
const logger = pino({ level: 'silent' });

beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  now = addSeconds(new Date(), 1);
  await database.db.pool.query('DELETE FROM outgoing_mail');
  smtp = await startSmtpInbox();
  mailer = createMailer(smtp.url, 'Incassa <incassa@example.com>', 2);
});
afterEach(async () => {
  mailer.close();
  await smtp.close();
});
afterAll(() => database.drop());

const enqueue = (more: { dedupeKey?: string; recipient?: string; subject?: string } = {}) =>
  transaction(database.db, (sql) =>
    enqueueMail(sql, {
      dedupeKey: 'receipt:1',
      recipient: 'cliente@example.com',
      subject: 'Pagamento ricevuto: però è qui',
      text: 'Grazie.\n',
      ...more,
    }),
  );
const compose = async (eventId: bigint, kind: string) => ({ subject: `${kind}\r\nBcc: x`, text: `${eventId}` });
const claim = () =>
  inItsTime(database.db.pool, 'outgoing_mail', now, () => claimMails(database.db.pool, { limit: 10 }));
const processAll = async (stop = new AbortController().signal) => {
  const mails = await claim();
  await Promise.all(
    mails.map((mail) => processMail(database.db, mail, { mailer, clock: () => now, stop, compose }, logger)),
  );
  return mails.length;
};
const stored = async () =>
  (
    await database.db.pool.query(
      'SELECT status, attempt_count, last_error, sent_at, next_attempt_at FROM outgoing_mail',
    )
  ).rows;

test('a mail is sent once, however often it is enqueued and looked for', async () => {
  expect([await enqueue(), await enqueue()]).toEqual([true, false]);
  expect([await processAll(), await processAll()]).toEqual([1, 0]);
  expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['cliente@example.com']]);
  expect(smtp.received[0]?.source).toContain('From: Incassa <incassa@example.com>');
  expect(await stored()).toMatchObject([{ status: 'delivered', attempt_count: 1, sent_at: now, last_error: null }]);
});

test('a mail of a transaction that is rolled back does not exist', async () => {
  const work = transaction(database.db, async (sql) => {
    await enqueueMail(sql, { dedupeKey: 'a', recipient: 'a@example.com', subject: 's', text: 't' });
    throw new Error('undone');
  });
  await expect(work).rejects.toThrow('undone');
  expect(await stored()).toEqual([]);
});

test('a refusal is kept and tried again later, up to nine attempts', async () => {
  smtp.refuse(...Array.from({ length: 9 }, () => '451 try again'));
  await enqueue();
  expect(await processAll()).toBe(1);
  expect(await stored()).toMatchObject([{ status: 'pending', last_error: expect.stringContaining('451 try again') }]);
  expect(await processAll()).toBe(0);
  for (let attempt = 2; attempt <= 9; attempt += 1) {
    now = addSeconds(now, 27 * 3600);
    expect(await processAll()).toBe(1);
  }
  expect(await stored()).toMatchObject([{ status: 'failed', attempt_count: 9 }]);
  expect(smtp.received).toEqual([]);
});

test('a worker killed after sending leaves a second mail with the same Message-ID', async () => {
  await enqueue();
  const [mail] = await claim();
  if (!mail) throw new Error('nothing due');
  await mailer.send(mail);
  expect(await processAll()).toBe(0);
  now = addSeconds(now, 31);
  await processAll();
  const ids = smtp.received.map(({ source }) => /^Message-ID: (.*)$/m.exec(source)?.[1]?.trim());
  expect(ids).toEqual([`<incassa-${mail.id}@example.com>`, `<incassa-${mail.id}@example.com>`]);
});

test('what people typed cannot add headers or recipients', async () => {
  await enqueue({ subject: 'Fattura\r\nBcc: victim@example.com\r\n\r\nbody' });
  await enqueue({ dedupeKey: 'receipt:2', recipient: 'a@example.com, victim@example.com' });
  await enqueue({ dedupeKey: 'receipt:3', recipient: 'a@example.com>\r\nRCPT TO:<victim@example.com' });
  await processAll();
  expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['cliente@example.com']]);
  expect(smtp.received[0]?.source).not.toMatch(/^Bcc/im);
  const statuses = (await stored()).map(({ status, last_error }) => [status, last_error]);
  expect(statuses.sort()).toEqual([
    ['delivered', null],
    ['failed', 'invalid_recipient'],
    ['failed', 'invalid_recipient'],
  ]);
});

test('with the mail server gone nothing is lost', async () => {
  await enqueue();
  await smtp.close();
  await processAll();
  expect(await stored()).toMatchObject([
    { status: 'pending', attempt_count: 1, last_error: expect.stringContaining('ECONN') },
  ]);
});
