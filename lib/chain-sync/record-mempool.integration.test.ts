import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Transfer } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { auditBookings } from '@/lib/deposits/booking-audit-repository';
import { paymentOf } from '@/testing/made-chain';
import { type Payable, type RecordedChain, SEEN_AT, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

/** What each invoice costs. */
const DUE = 10n ** 16n;
const LATER = new Date(SEEN_AT.getTime() + 60_000);

let database: TestDatabase;
let db: Database;
let chain: RecordedChain;
let invoice: Payable;
let other: Payable;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());
beforeEach(async () => {
  chain = await startRecordedChain(db, { invoiceCount: 2 });
  const [first, second] = chain.invoices;
  if (!second) throw new Error('one invoice only');
  [invoice, other] = [first, second];
});

/** Output 0 of a transaction that spends what `spends` names. */
function output(txHash: string, given: Partial<Transfer> & { index?: number } = {}): Transfer {
  const { index = 0, ...rest } = given;
  const payment = paymentOf(txHash, invoice.address, DUE);
  return { ...payment, key: `${txHash}:${index}`, spends: ['coin:0'], ...rest };
}

async function deposits() {
  const { rows } = await db.pool.query(
    `SELECT transfer_key AS key, amount_units AS units, block_height AS height, seen_at AS "seenAt",
       orphaned_at IS NULL AS lives, posted_at IS NOT NULL AS booked FROM deposit ORDER BY id`,
  );
  return rows;
}

const queueLength = async () => (await db.pool.query('SELECT id FROM settlement_task')).rows.length;

describe('a sight', () => {
  test('is money in no block: the invoice shows that it was seen, and nothing is booked', async () => {
    await chain.look([output('a')]);
    expect(await deposits()).toEqual([
      { key: 'a:0', units: DUE, height: null, seenAt: SEEN_AT, lives: true, booked: false },
    ]);
    expect(await chain.shown(invoice)).toEqual({ status: 'pending', state: 'seen', paid: DUE, received: DUE });
    await chain.record(101, 103);
    expect(await chain.shown(invoice)).toMatchObject({ status: 'pending', state: 'seen' });
    expect((await db.pool.query('SELECT id FROM ledger_entry')).rows).toEqual([]);
  });

  test('seen again changes nothing', async () => {
    await chain.look([output('a')]);
    const before = await deposits();
    await chain.look([output('a')], { seenAt: LATER });
    expect(await deposits()).toEqual(before);
    expect(await queueLength()).toBe(0);
  });

  test('ends when it waits no longer, but not while a block may have taken it', async () => {
    await chain.look([output('a')]);
    await chain.look([], { isComplete: false });
    expect(await chain.shown(invoice)).toMatchObject({ state: 'seen', received: DUE });
    await chain.look([], { isComplete: true });
    expect(await deposits()).toMatchObject([{ lives: false }]);
    expect(await chain.shown(invoice)).toEqual({ status: 'pending', state: 'unpaid', paid: 0n, received: 0n });
  });

  test('that ended lives again when it is seen again, with the time of its first sight', async () => {
    await chain.look([output('a')]);
    await chain.look([]);
    await chain.look([output('a')], { seenAt: LATER });
    expect(await deposits()).toMatchObject([{ lives: true, seenAt: SEEN_AT }]);
    expect(await chain.shown(invoice)).toMatchObject({ state: 'seen' });
  });

  test('that is mined keeps the time of its first sight and counts once', async () => {
    await chain.look([output('a')]);
    await chain.record(101, 102, { transfers: { 101: [output('a')] }, seenAt: LATER });
    expect(await deposits()).toEqual([
      { key: 'a:0', units: DUE, height: 101n, seenAt: SEEN_AT, lives: true, booked: true },
    ]);
    expect(await chain.shown(invoice)).toEqual({ status: 'paid', state: 'settled', paid: DUE, received: DUE });
    await chain.look([output('a')], { seenAt: LATER });
    await chain.look([]);
    expect(await deposits()).toMatchObject([{ height: 101n, lives: true }]);
  });

  test('that is mined after it ended counts all the same', async () => {
    await chain.look([output('a')]);
    await chain.look([]);
    await chain.record(101, 102, { transfers: { 101: [output('a')] } });
    expect(await chain.shown(invoice)).toMatchObject({ status: 'paid', received: DUE });
  });

  test('of a payment that a reorg took is a sight again, and counts again when it is mined', async () => {
    await chain.record(101, 102, { transfers: { 101: [output('a')] } });
    await chain.undo(100);
    expect(await chain.shown(invoice)).toMatchObject({ status: 'pending', state: 'reversed', received: 0n });
    await chain.look([output('a')]);
    expect(await deposits()).toMatchObject([{ height: null, lives: true, booked: false }]);
    expect(await chain.shown(invoice)).toMatchObject({ status: 'pending', state: 'seen', received: DUE });
    await chain.record(101, 103, { branch: 'b', after: 'a', transfers: { 102: [output('a')] } });
    expect(await deposits()).toMatchObject([{ height: 102n, lives: true, booked: true }]);
    expect(await chain.shown(invoice)).toMatchObject({ status: 'paid', received: DUE });
  });

  test.each([
    ['amount', () => ({ amountUnits: 1n })],
    ['address', () => ({ to: other.address })],
    ['coin', () => ({ coin: 'BNB' as const })],
  ])('with a false %s gives way to what the block says, whether it still waits or has ended', async (_, lie) => {
    await chain.look([output('a', lie()), output('b', { ...lie(), spends: ['coin:1'] })]);
    await chain.look([output('b', { ...lie(), spends: ['coin:1'] })]);
    const half = { amountUnits: DUE / 2n };
    const mined = [output('a', half), output('b', { ...half, spends: ['coin:1'] })];
    await chain.record(101, 102, { transfers: { 101: mined } });
    expect(await chain.shown(invoice)).toEqual({ status: 'paid', state: 'settled', paid: DUE, received: DUE });
    expect(await chain.shown(other)).toMatchObject({ status: 'pending', state: 'unpaid', received: 0n });
    expect((await auditBookings(db.pool, 'ETH')).count).toBe(0);
  });

  test('that is known already is written by no further look', async () => {
    await chain.look([output('a')]);
    const written = async () =>
      (await db.pool.query('SELECT xmin::text, xmax::text, (SELECT last_value FROM deposit_id_seq) FROM deposit')).rows;
    const before = await written();
    await chain.look([output('a')]);
    await chain.look([output('a')], { isComplete: false });
    expect(await written()).toEqual(before);
  });

  test('another amount under the name of a sight that ended does not revive it', async () => {
    await chain.look([output('a')]);
    await chain.look([]);
    await chain.look([output('a', { amountUnits: DUE * 2n })]);
    expect(await chain.shown(invoice)).toMatchObject({ state: 'unpaid', received: 0n });
  });
});

describe('two transfers that spend the same', () => {
  test('are never added: the mined one ends the sight, whether it has another name or another payee', async () => {
    await chain.look([output('a')]);
    await chain.record(101, 101, { transfers: { 101: [output('malleated')] } });
    expect(await chain.shown(invoice)).toMatchObject({ state: 'confirming', received: DUE });
    await chain.look([output('b', { spends: ['coin:1', 'coin:2'] })]);
    expect(await chain.shown(invoice)).toMatchObject({ received: DUE * 2n });
    const replacement = output('c', { to: other.address, spends: ['coin:2'] });
    await chain.record(102, 102, { transfers: { 102: [replacement] } });
    expect(await chain.shown(invoice)).toMatchObject({ status: 'paid', received: DUE });
    expect(await chain.shown(other)).toMatchObject({ state: 'confirming', received: DUE });
  });

  test('end the sight also when the mined one pays somebody else alone, and nothing else of its wallet changes', async () => {
    await chain.look([output('a')]);
    await chain.record(101, 101, { transfers: { 101: [output('c', { to: other.address })] } });
    expect(await chain.shown(invoice)).toMatchObject({ state: 'unpaid', received: 0n });
  });

  test('give way to each other again when the mined one is off the chain', async () => {
    await chain.look([output('a')]);
    await chain.record(101, 101, { transfers: { 101: [output('c', { to: other.address })] } });
    await chain.undo(100);
    await chain.look([output('a')]);
    expect(await chain.shown(invoice)).toMatchObject({ state: 'seen', received: DUE });
    expect(await chain.shown(other)).toMatchObject({ received: 0n });
  });

  test('are never added in the mempool either, also while a block may have taken one', async () => {
    await chain.look([output('a', { amountUnits: DUE / 2n })]);
    await chain.look([output('bumped', { amountUnits: DUE / 2n })], { isComplete: false });
    expect(await chain.shown(invoice)).toMatchObject({ state: 'partial', received: DUE / 2n });
    expect(await deposits()).toMatchObject([{ lives: false }, { lives: true }]);
  });

  test('a node that lags and still lists the replaced one brings it back to nobody', async () => {
    await chain.look([output('a')]);
    await chain.record(101, 102, { transfers: { 101: [output('bumped')] } });
    await chain.look([output('a')]);
    await chain.look([output('a'), output('never seen before')], { isComplete: false });
    expect(await chain.shown(invoice)).toEqual({ status: 'paid', state: 'settled', paid: DUE, received: DUE });
  });

  test('are one transaction when its outputs pay two invoices: both count, in the mempool and mined', async () => {
    const both = [output('a'), output('a', { index: 1, to: other.address })];
    await chain.look(both);
    for (const payable of [invoice, other]) expect(await chain.shown(payable)).toMatchObject({ state: 'seen' });
    await chain.record(101, 102, { transfers: { 101: both } });
    await chain.look(both);
    for (const payable of [invoice, other])
      expect(await chain.shown(payable)).toMatchObject({ status: 'paid', received: DUE });
  });
});

test('a transfer that is twice in a mempool, or not ours, is refused, and nothing of that look is kept', async () => {
  const twice = chain.look([output('a'), output('a')]);
  await expect(twice).rejects.toMatchObject({ name: 'ChainError', reason: 'invalid_answer' });
  await expect(chain.look([output('a'), output('b', { to: '0xforeign' })])).rejects.toThrow('not ours');
  expect(await deposits()).toEqual([]);
});

test.each(['manutenzione', 'head_lower'])('while the chain is paused (%s) nothing waits', async (reason) => {
  await db.pool.query('UPDATE chain_cursor SET paused_reason = $1', [reason]);
  await chain.look([output('a')]);
  expect(await deposits()).toEqual([]);
});
