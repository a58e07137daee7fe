import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import type { LedgerEntry } from './entry';
import { lockBalances, postEntries } from './post-entries';

describe('the ledger', () => {
  let test: TestDatabase;
  let watcher: Database;
  let wallets: number[];

  beforeAll(async () => {
    test = await createTestDatabase();
    watcher = openDatabase(test.roleUrl('watcher'), { max: 20, applicationName: 'watcher' });
    await makeCursor(test.db.pool);
    const { id: userId } = await makeUser(test.db.pool);
    wallets = [];
    for (let n = 0; n < 4; n++) wallets.push((await makeInvoice(test.db.pool, { userId })).walletId);
  });
  afterAll(async () => {
    await closeDatabase(watcher);
    await test.drop();
  });

  let serial = 0;
  const wallet = (index: number) => ({ kind: 'wallet', walletId: wallets[index] ?? 0 }) as const;
  const deposit = (index: number, amountUnits: bigint, key = `deposit:${serial++}`): LedgerEntry => ({
    key,
    kind: 'deposit',
    coin: 'ETH',
    postings: [
      { account: wallet(index), amountUnits },
      { account: { kind: 'chain' }, amountUnits: -amountUnits },
    ],
  });
  const post = (...entries: LedgerEntry[]) => transaction(watcher, (sql) => postEntries(sql, entries));
  const balanceOf = async (index: number) => {
    const balances = await transaction(watcher, (sql) => lockBalances(sql, [wallets[index] ?? 0]));
    return balances.get(wallets[index] ?? 0) ?? 0n;
  };

  it('books an amount of any size exactly, and keeps the balance of the wallet', async () => {
    const huge = 2n ** 256n - 1n;
    expect(await post(deposit(0, huge))).toHaveLength(1);
    expect(await balanceOf(0)).toBe(huge);
  });

  it('books a fact once, however many book it at the same time', async () => {
    const before = await balanceOf(1);
    const booked = await Promise.all(Array.from({ length: 20 }, () => post(deposit(1, 5n, 'fact'))));
    expect(booked.flat()).toEqual(['fact']);
    expect(await balanceOf(1)).toBe(before + 5n);
  });

  it('refuses an entry that does not sum to zero, and nothing of its transaction stays', async () => {
    const bad = deposit(1, 5n, 'bad');
    await expect(post(deposit(1, 7n, 'beside'), { ...bad, postings: bad.postings.slice(0, 1) })).rejects.toThrow(
      'does not balance',
    );
    const { rowCount } = await watcher.pool.query(`SELECT 1 FROM ledger_entry WHERE key IN ('bad', 'beside')`);
    expect(rowCount).toBe(0);
  });

  it('[C15] refuses to take more than a wallet holds', async () => {
    await expect(post(deposit(2, -1n))).rejects.toThrow('ledger_balance_not_negative');
  });

  it('is only written forward, and nobody writes a balance', async () => {
    await post(deposit(3, 10n));
    for (const statement of [
      'UPDATE ledger_posting SET amount_units = 1',
      'DELETE FROM ledger_posting',
      'DELETE FROM ledger_entry',
    ]) {
      await expect(test.db.pool.query(statement)).rejects.toThrow('written forward');
    }
    for (const role of ['web', 'watcher', 'dispatcher', 'signer'] as const) {
      const db = openDatabase(test.roleUrl(role), { max: 1, applicationName: role });
      await expect(db.pool.query('UPDATE ledger_account SET balance = 1')).rejects.toThrow('permission denied');
      await closeDatabase(db);
    }
  });

  it('keeps every balance equal to the sum of its postings and all coins at zero, under concurrent random bookings [I1] [I2]', async () => {
    const move = fc.record({
      from: fc.integer({ min: 0, max: 3 }),
      to: fc.integer({ min: 0, max: 3 }),
      amount: fc.bigInt({ min: 1n, max: 40n }),
    });
    const moves = fc.sample(move, 200);
    await post(deposit(0, 50n), deposit(1, 50n), deposit(2, 50n), deposit(3, 50n));
    await Promise.all(
      moves.map(({ from, to, amount }) =>
        post({
          key: `move:${serial++}`,
          kind: 'attribution',
          coin: 'ETH',
          postings: [
            { account: wallet(from), amountUnits: -amount },
            { account: wallet(to), amountUnits: amount },
          ],
        }).catch(() => undefined),
      ),
    );
    const { rows } = await watcher.pool.query(
      `SELECT count(*) FILTER (WHERE a.balance <> coalesce(p.sum, 0))::int AS drift, (SELECT sum(amount_units) FROM ledger_posting) AS total
       FROM ledger_account a LEFT JOIN (SELECT account_id, sum(amount_units) FROM ledger_posting GROUP BY 1) p ON p.account_id = a.id
       WHERE a.kind = 'wallet'`,
    );
    expect(rows).toEqual([{ drift: 0, total: 0n }]);
  });
});
