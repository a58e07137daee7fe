import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConfirmationRule, Transfer } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { auditBookings } from '@/lib/deposits/booking-audit-repository';
import { makeBlocks, paymentOf } from '@/testing/made-chain';
import { type Payable, type RecordedChain, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;
const byCount: ConfirmationRule = { kind: 'count', blocks: 2 };

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

async function start(rule: ConfirmationRule): Promise<void> {
  chain = await startRecordedChain(db, { rule, invoiceCount: 2 });
  const [first, second] = chain.invoices;
  if (!second) throw new Error('one invoice only');
  [invoice, other] = [first, second];
}

function pay(name: string, given: Partial<Transfer> = {}): Transfer {
  return { ...paymentOf(name, invoice.address, DUE), key: `${name}:0`, ...given };
}

/** Status of both invoices, and what the ledger holds for them. */
async function counts() {
  const { rows } = await db.pool.query<{ balance: bigint }>(
    `SELECT coalesce(sum(balance), 0) AS balance FROM ledger_account WHERE kind = 'wallet'`,
  );
  const statuses = [(await chain.shown(invoice)).status, (await chain.shown(other)).status];
  return [...statuses, Number(BigInt(rows[0]?.balance ?? 0n) / DUE)];
}

const cursorHeight = async () => (await db.pool.query('SELECT height FROM chain_cursor')).rows[0]?.height;

describe('from when money counts', () => {
  test('a coinbase counts only in the block in which it can be spent, beside a payment that counts at once', async () => {
    await start(byCount);
    const reward = pay('reward', { kind: 'coinbase', maturity: 100 });
    await chain.record(101, 102, { transfers: { 101: [reward, pay('paid', { to: other.address })] } });
    expect(await counts()).toEqual(['pending', 'paid', 1]);
    await chain.record(103, 199);
    expect(await chain.shown(invoice)).toEqual({ status: 'pending', state: 'confirming', paid: DUE, received: DUE });
    await chain.record(200, 200);
    expect(await counts()).toEqual(['paid', 'paid', 2]);
    expect((await auditBookings(db.pool, 'ETH')).count).toBe(0);
  });

  test('a payment that was seen waiting counts by what its block says of it', async () => {
    await start(byCount);
    await chain.look([pay('a')]);
    await chain.record(101, 105, { transfers: { 101: [pay('a', { kind: 'peg_out', maturity: 6 })] } });
    expect(await counts()).toEqual(['pending', 'pending', 0]);
    await chain.record(106, 106);
    expect(await counts()).toEqual(['paid', 'pending', 1]);
  });

  test('where finality decides nothing counts before its block is final, however deep it is', async () => {
    await start({ kind: 'finality', shown: 3 });
    await chain.record(101, 150, { transfers: { 101: [pay('a')], 102: [pay('b', { to: other.address })] } });
    expect(await counts()).toEqual(['pending', 'pending', 0]);
    await chain.record(151, 151, { finalized: 100 });
    expect(await counts()).toEqual(['pending', 'pending', 0]);
    await chain.record(152, 152, { finalized: 101 });
    expect(await counts()).toEqual(['paid', 'pending', 1]);
    await chain.record(153, 153, { finalized: 153 });
    expect(await counts()).toEqual(['paid', 'paid', 2]);
  });

  test('a reorg loses no news of finality: what became final with the new branch counts and settles', async () => {
    await start({ kind: 'finality', shown: 3 });
    await chain.record(101, 110, { finalized: 100, transfers: { 103: [pay('a')] } });
    await chain.undo(105);
    await chain.record(106, 130, { branch: 'b', after: 'a', finalized: 125 });
    expect(await counts()).toEqual(['paid', 'pending', 1]);
  });

  test('money in a block that is final at once waits all the same until it can be spent', async () => {
    await start({ kind: 'finality', shown: 1 });
    await chain.record(101, 104, { finalized: 104, transfers: { 101: [pay('a', { kind: 'peg_out', maturity: 6 })] } });
    expect(await counts()).toEqual(['pending', 'pending', 0]);
    await chain.record(105, 106, { finalized: 106 });
    expect(await counts()).toEqual(['paid', 'pending', 1]);
  });

  test('where the amount decides bigger money waits longer, also when many blocks are read at a time', async () => {
    const rule: ConfirmationRule = {
      kind: 'amount',
      steps: [
        { fromUnits: 0n, blocks: 1 },
        { fromUnits: DUE * 5n, blocks: 10 },
      ],
    };
    const big = (name: string) => pay(name, { to: other.address, amountUnits: DUE * 5n });
    await start(rule);
    await chain.record(101, 109, { transfers: { 101: [pay('small'), big('big')] } });
    expect(await counts()).toEqual(['paid', 'pending', 1]);
    await chain.record(110, 110);
    expect(await counts()).toEqual(['paid', 'paid', 6]);
    await start(rule);
    await chain.record(101, 300, { transfers: { 101: [pay('small'), big('big')], 300: [pay('again'), big('late')] } });
    expect(await counts()).toEqual(['paid', 'paid', 7]);
  });

  test('a reorg takes back money that needed more confirmations, and it needs them all anew', async () => {
    await start(byCount);
    const slow = pay('a', { kind: 'coinbase', maturity: 6 });
    await chain.record(101, 106, { transfers: { 101: [slow] } });
    expect(await counts()).toEqual(['paid', 'pending', 1]);
    await chain.undo(100);
    expect(await counts()).toEqual(['pending', 'pending', 0]);
    await chain.record(101, 108, { branch: 'b', after: 'a', transfers: { 104: [slow] } });
    expect(await counts()).toEqual(['pending', 'pending', 0]);
    await chain.record(109, 109, { branch: 'b' });
    expect(await counts()).toEqual(['paid', 'pending', 1]);
  });
});

describe('what cannot be true', () => {
  test.each([
    ['amount', { amountUnits: DUE * 2n }],
    ['coin', { coin: 'BNB' as const }],
  ])('a transfer that is mined again with another %s is refused, and nothing is lost', async (_, change) => {
    await start(byCount);
    await chain.record(101, 102, { transfers: { 101: [pay('a')] } });
    await chain.undo(100);
    const again = { branch: 'b', after: 'a', transfers: { 101: [pay('a', change), pay('b', { to: other.address })] } };
    const error = { name: 'ChainError', reason: 'invalid_answer' };
    await expect(chain.record(101, 102, again)).rejects.toMatchObject(error);
    expect(await cursorHeight()).toBe(100n);
    expect(await counts()).toEqual(['pending', 'pending', 0]);
    await chain.record(101, 102, { ...again, transfers: { 101: [pay('a'), pay('b', { to: other.address })] } });
    expect(await counts()).toEqual(['paid', 'paid', 2]);
  });

  test('a transfer that is mined again for another address of ours is refused', async () => {
    await start(byCount);
    await chain.record(101, 102, { transfers: { 101: [pay('a')] } });
    await chain.undo(100);
    const moved = { branch: 'b', after: 'a', transfers: { 101: [pay('a', { to: other.address })] } };
    await expect(chain.record(101, 102, moved)).rejects.toThrow('another amount, coin or address');
    expect(await cursorHeight()).toBe(100n);
  });

  test('chain time that runs backwards is refused, in a run and against the cursor; standing still is not', async () => {
    await start(byCount);
    const [first, second] = makeBlocks(101, 102);
    if (!first || !second) throw new Error('no blocks');
    const at = (shift: number) => new Date(first.chainTime.getTime() + shift);
    await expect(chain.recordAll([first, { ...second, chainTime: at(-1) }])).rejects.toThrow('runs backwards');
    expect(await cursorHeight()).toBe(100n);
    await chain.recordAll([first]);
    await expect(chain.recordAll([{ ...second, chainTime: at(-1) }])).rejects.toThrow('runs backwards');
    await chain.recordAll([{ ...second, chainTime: at(0), time: at(-60_000) }]);
    expect(await cursorHeight()).toBe(102n);
  });

  test('the time of a block decides no expiry: dated two hours ahead it expires nothing', async () => {
    const [first] = makeBlocks(101, 101);
    if (!first) throw new Error('no block');
    const expiresAt = new Date(first.chainTime.getTime() + 3_600_000);
    chain = await startRecordedChain(db, { rule: byCount, expiresAt });
    await chain.recordAll([{ ...first, time: new Date(expiresAt.getTime() + 3_600_000) }]);
    await db.pool.query("INSERT INTO settlement_task (wallet_id, chain) SELECT wallet_id, 'ethereum' FROM invoice");
    await chain.look([]);
    expect(await chain.shown(chain.invoices[0])).toMatchObject({ status: 'pending' });
  });
});
