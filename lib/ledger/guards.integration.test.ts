import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sql } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { makeCursor, makeInvoice, makeUser } from '@/testing/factories';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

/** What the database itself refuses of the ledger, whoever writes: its owner here, who needs no door. */
describe('the guards of the ledger', () => {
  let test: TestDatabase;
  let walletId: number;

  beforeAll(async () => {
    test = await createTestDatabase();
    await makeCursor(test.db.pool);
    const { id: userId } = await makeUser(test.db.pool);
    walletId = (await makeInvoice(test.db.pool, { userId })).walletId;
  });
  afterAll(() => test.drop());

  let serial = 0;
  const account = async (coin: string, kind: string, wallet: number | null = null): Promise<string> => {
    const { rows } = await test.db.pool.query<{ id: string }>(
      `WITH made AS (INSERT INTO ledger_account (coin, kind, wallet_id) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id)
       SELECT id FROM made UNION ALL SELECT id FROM ledger_account WHERE coin = $1 AND kind = $2 AND wallet_id IS NOT DISTINCT FROM $3`,
      [coin, kind, wallet],
    );
    return rows[0]?.id ?? '';
  };
  type Parts = readonly (readonly [accountId: string, units: bigint])[];
  /** Writes one entry past the product's own code. */
  const write = (coin: string, postings: Parts) => transaction(test.db, async (sql) => writeTo(sql, coin, postings));
  const writeTo = async (sql: Sql, coin: string, postings: Parts) => {
    serial += 1;
    const { rows } = await sql.query<{ id: string }>(
      `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch) VALUES ('attribution', $1, 'deposit', $2, 1, 0)
         RETURNING id`,
      [coin, serial],
    );
    for (const [accountId, units] of postings)
      await sql.query('INSERT INTO ledger_posting (entry_id, account_id, amount_units) VALUES ($1, $2, $3)', [
        ...[rows[0]?.id, accountId, units],
      ]);
  };

  it('refuse an entry between accounts of another coin, although it sums to zero', async () => {
    const [from, to] = [await account('BNB', 'fees'), await account('BNB', 'unattributed')];
    await expect(
      write('ETH', [
        [from, -5n],
        [to, 5n],
      ]),
    ).rejects.toThrow('does not balance');
    await write('BNB', [
      [from, -5n],
      [to, 5n],
    ]);
  });

  it('refuse an entry that takes from one coin what it gives to another', async () => {
    const [from, to] = [await account('BNB', 'fees'), await account('ETH', 'unattributed')];
    await expect(
      write('ETH', [
        [from, -5n],
        [to, 5n],
      ]),
    ).rejects.toThrow('does not balance');
  });

  it('refuse two entries whose faults cancel each other', async () => {
    const fees = await account('BNB', 'fees');
    const both = transaction(test.db, async (sql) => {
      await writeTo(sql, 'BNB', [[fees, 5n]]);
      await writeTo(sql, 'BNB', [[fees, -5n]]);
    });
    await expect(both).rejects.toThrow('does not balance');
  });

  it('refuse a posting of nothing, and a second posting of one entry to the same account', async () => {
    const [from, to] = [await account('ETH', 'fees'), await account('ETH', 'unattributed')];
    await expect(write('ETH', [[from, 0n]])).rejects.toThrow('ledger_posting_moves');
    await expect(
      write('ETH', [
        [from, -5n],
        [to, 3n],
        [to, 2n],
      ]),
    ).rejects.toThrow('ledger_posting_pkey');
  });

  it('refuse a wallet account of nobody, and an account of nobody that is a wallet’s', async () => {
    await expect(account('ETH', 'wallet')).rejects.toThrow('ledger_account_owner');
    await expect(account('ETH', 'fees', walletId)).rejects.toThrow('ledger_account_owner');
  });

  it('refuse a second account of a kind for a wallet, and for a coin', async () => {
    const second = (wallet: number | null, kind: string) =>
      test.db.pool.query(`INSERT INTO ledger_account (coin, kind, wallet_id) VALUES ('ETH', $1, $2)`, [kind, wallet]);
    await account('ETH', 'wallet', walletId);
    await account('ETH', 'fees');
    await expect(second(walletId, 'wallet')).rejects.toThrow('ledger_account_of_wallet');
    await expect(second(null, 'fees')).rejects.toThrow('ledger_account_of_coin');
    await second(walletId, 'held');
    await test.db.pool.query(`INSERT INTO ledger_account (coin, kind) VALUES ('LTC', 'fees')`);
  });

  it('refuse a second account of a coin on an address', async () => {
    const second = (coin: string) =>
      test.db.pool.query(
        `INSERT INTO ledger_account (coin, kind, pool_address_id) SELECT $1, 'custody', min(id) FROM pool_address`,
        [coin],
      );
    await second('ETH');
    await second('BNB');
    await expect(second('ETH')).rejects.toThrow('ledger_account_of_address');
  });

  it('refuse a height without its time, and a loss that is a gain', async () => {
    const half = `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch, height) VALUES ('hold', 'ETH', 'account', 1, 1, 0, 7)`;
    await expect(test.db.pool.query(half)).rejects.toThrow('ledger_entry_block_whole');
    const id = await account('ETH', 'reorg_loss', walletId);
    const gain = test.db.pool.query('UPDATE ledger_account SET balance = 1 WHERE id = $1', [id]);
    await expect(gain).rejects.toThrow('ledger_loss_not_positive');
  });

  it('keep no balance but of what belongs to a wallet', async () => {
    const fees = await account('ETH', 'fees');
    await write('ETH', [
      [fees, -7n],
      [await account('ETH', 'wallet', walletId), 7n],
    ]);
    await expect(test.db.pool.query('UPDATE ledger_account SET balance = 1 WHERE id = $1', [fees])).rejects.toThrow(
      'ledger_balance_where_kept',
    );
    const { rows } = await test.db.pool.query('SELECT balance FROM ledger_account WHERE wallet_id = $1 AND kind = $2', [
      walletId,
      'wallet',
    ]);
    expect(rows).toEqual([{ balance: 7n }]);
  });
});
