import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Database } from '@/lib/db/database';
import { queueWallet } from '@/lib/deposits/queue-repository';
import { COIN_INFO } from '@/lib/shared/coins';
import { makeBlocks, paymentOf } from '@/testing/made-chain';
import { type Payable, type RecordedChain, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { composeMail } from './announcements';

const DUE = 10n ** 16n;
const DUST = COIN_INFO.ETH.dustUnits;

let database: TestDatabase;
let db: Database;
let chain: RecordedChain;
let invoice: Payable;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());
beforeEach(async () => {
  await db.pool.query('TRUNCATE outgoing_mail');
  const [first] = makeBlocks(101, 101);
  chain = await startRecordedChain(db, { ...(first && { expiresAt: first.chainTime }) });
  invoice = chain.invoices[0];
});

function pay(name: string, amountUnits: bigint) {
  return { ...paymentOf(name, invoice.address, amountUnits), key: name };
}

/** Blocks until long after the time of the invoice, with the money that came in the first ones in time. */
async function letTimePass(...inTime: bigint[]): Promise<void> {
  const transfers = inTime.map((units, index) => pay(`in time ${index}`, units));
  await chain.record(101, 150, { transfers: { 101: transfers } });
  await queueWallet(db.pool, invoice.walletId, 'ethereum');
  await chain.record(151, 151);
}

async function told() {
  const events = await db.pool.query<{ type: string }>('SELECT type FROM invoice_event ORDER BY sequence');
  const mails = await db.pool.query<{ event: bigint }>('SELECT event_id AS event FROM outgoing_mail ORDER BY id');
  const subjects: (string | undefined)[] = [];
  for (const { event } of mails.rows)
    subjects.push((await composeMail(db.pool, event, 'misfit')).subject.split(':')[0]);
  return { events: events.rows.map((row) => row.type), mails: subjects };
}

const EXPIRED = { events: ['invoice.statusChanged'], mails: [] };

test('one base unit after the time brings no event and no mail, and stays in the books', async () => {
  await letTimePass();
  expect(await told()).toEqual(EXPIRED);
  await chain.record(152, 155, { transfers: { 152: [pay('sun', 1n)], 153: [pay('another', DUST - 2n)] } });
  expect(await told()).toEqual(EXPIRED);
  expect(await chain.shown(invoice)).toEqual({ status: 'expired', state: 'unpaid', paid: 0n, received: DUST - 1n });
  const { rows } = await db.pool.query(`SELECT balance FROM ledger_account WHERE kind = 'wallet'`);
  expect(rows).toEqual([{ balance: DUST - 1n }]);
});

test('what is no dust is told once, and dust that follows is not told', async () => {
  await letTimePass();
  await chain.record(152, 153, { transfers: { 152: [pay('late', DUST)] } });
  const once = { events: [...EXPIRED.events, 'invoice.paymentLate'], mails: ['Pagamento arrivato in ritardo'] };
  expect(await told()).toEqual(once);
  await chain.record(154, 155, { transfers: { 154: [pay('sun', 1n)], 155: [pay('another', DUST - 2n)] } });
  expect(await told()).toEqual(once);
  await chain.record(156, 157, { transfers: { 156: [pay('late again', DUST)] } });
  expect((await told()).mails).toHaveLength(2);
});

test('dust beside what an invoice costs is not too much, until together it is no dust any more', async () => {
  await letTimePass(DUE, DUST - 1n);
  expect(await chain.shown(invoice)).toMatchObject({ status: 'paid', state: 'settled' });
  await chain.record(152, 153, { transfers: { 152: [pay('sun', 1n)] } });
  expect(await told()).toEqual({
    events: ['invoice.statusChanged', 'invoice.overpaid'],
    mails: ['Pagamento superiore al dovuto'],
  });
});

test('dust alone pays no part of an invoice in the eyes of its merchant: nothing is told when it expires', async () => {
  await letTimePass(1n);
  expect(await told()).toEqual(EXPIRED);
  expect(await chain.shown(invoice)).toMatchObject({ status: 'expired', state: 'unpaid' });
});
