import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { Coin } from '@/lib/shared/coins';
import { type MadeInvoice, makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { custody, makeEntry, of } from '@/testing/ledger-entries';
import { seenAfter } from '@/testing/tampered-books';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { auditLedger } from './difference-repository';
import { postEntries } from './post-entries';

describe('the proof of a ledger', () => {
  let test: TestDatabase;
  let superuser: Database;
  let invoice: MadeInvoice;
  /** A wallet in BNB on the invoice's address. */
  let beside: { id: number; uuid: string };

  beforeAll(async () => {
    test = await createTestDatabase();
    superuser = openDatabase(test.superuserUrl, { max: 1, applicationName: 'test-superuser' });
    const { pool } = test.db;
    await makeCursor(pool);
    const { id: userId } = await makeUser(pool);
    invoice = await makeInvoice(pool, { userId });
    beside = await makeWallet(pool, { poolAddressId: invoice.poolAddressId, userId, coin: 'BNB' });
    const place = custody(invoice.poolAddressId);
    const wallet = of(invoice.walletId);
    await transaction(test.db, (sql) =>
      postEntries(sql, [
        makeEntry(
          'deposit',
          [
            [wallet, 10n],
            [place, 10n],
          ],
          { factId: 1n },
        ),
        makeEntry(
          'hold',
          [
            [wallet, -3n],
            [of(invoice.walletId, 'held'), 3n],
          ],
          { factId: 2n, block: null },
        ),
        makeEntry(
          'deposit',
          [
            [of(beside.id), 70n],
            [place, 70n],
          ],
          { factId: 3n, coin: 'BNB' },
        ),
      ]),
    );
  });
  afterAll(async () => {
    await closeDatabase(superuser);
    await test.drop();
  });

  /** What is found of a coin after statements were run, with no trigger in their way. */
  const found = (statements: string[], coin: Coin = 'ETH') =>
    seenAfter(superuser, statements, async (sql) => {
      const { listed } = await auditLedger(sql, coin);
      return listed.map(({ kind, subject, expected, actual }) => [kind, subject, expected, actual]);
    });
  const account = (kind: string, coin: Coin = 'ETH') =>
    `(SELECT id FROM ledger_account WHERE kind = '${kind}' AND coin = '${coin}')`;
  /** Changes the part of the deposit that is on an account. */
  const change = (kind: string, set: string) =>
    `UPDATE ledger_posting SET ${set} WHERE account_id = ${account(kind)} AND entry_id = (SELECT id FROM ledger_entry WHERE fact_id = 1)`;
  const TOTAL = 'what all owners have, beside what lies at all places';
  const balance = (kind: string) => `${kind} account of wallet `;

  it('finds nothing in books that the product wrote', async () => {
    expect(await found([])).toEqual([]);
    expect(await found([], 'BNB')).toEqual([]);
  });

  it('finds an entry without postings, and one of another coin not', async () => {
    const insert = (coin: Coin) => [
      `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch) VALUES ('hold', '${coin}', 'withdrawal', 4711, 2, 0)`,
    ];
    expect(await found(insert('ETH'))).toEqual([
      ['entry', 'entry hold 2 of withdrawal 4711 (without postings)', '0', '0'],
    ]);
    expect(await found(insert('BNB'))).toEqual([]);
  });

  it('finds an entry whose two sides differ, and by how much the places and the owners do', async () => {
    expect(await found([change('custody', 'amount_units = 12')])).toEqual([
      ['entry', 'entry deposit 1 of withdrawal 1', '0', '-2'],
      ['total', TOTAL, '12', '10'],
    ]);
    expect(await found([change('wallet', 'amount_units = 12')])).toEqual([
      ['entry', 'entry deposit 1 of withdrawal 1', '0', '2'],
      ['balance', `${balance('wallet')}${await uuid()}`, '9', '7'],
      ['total', TOTAL, '10', '12'],
    ]);
  });

  it('finds an entry with a part in another coin, although its two sides are the same', async () => {
    const statements = [change('custody', `account_id = ${account('custody', 'BNB')}`)];
    const withAnother = ['entry', 'entry deposit 1 of withdrawal 1 (with another coin)', '0', '0'];
    expect(await found(statements)).toEqual([withAnother, ['total', TOTAL, '0', '10']]);
    expect(await found(statements, 'BNB')).toEqual([['total', TOTAL, '80', '70']]);
  });

  it('finds a balance that is not the sum of its postings, also where there are none', async () => {
    expect(await found([`UPDATE ledger_account SET balance = 6 WHERE id = ${account('wallet')}`])).toEqual([
      ['balance', `${balance('wallet')}${await uuid()}`, '7', '6'],
    ]);
    const loss = `INSERT INTO ledger_account (coin, kind, wallet_id, balance) VALUES ('ETH', 'reorg_loss', ${invoice.walletId}, -4)`;
    expect(await found([loss])).toEqual([['balance', `${balance('reorg_loss')}${await uuid()}`, '0', '-4']]);
    expect(await found([loss], 'BNB')).toEqual([]);
  });

  it('counts all that it finds and names the greatest', async () => {
    const { count, units, listed } = await seenAfter(
      superuser,
      [
        `INSERT INTO ledger_entry (kind, coin, fact, fact_id, booking, epoch)
           SELECT 'hold', 'ETH', 'withdrawal', 5000 + n, 1, 0 FROM generate_series(1, 101) n`,
        change('custody', 'amount_units = 15'),
      ],
      (sql) => auditLedger(sql, 'ETH'),
    );
    expect([count, units, listed.length, listed[0]?.units]).toEqual([103, 10n, 100, 5n]);
  });

  const uuid = async () =>
    String((await test.db.pool.query('SELECT uuid FROM wallet WHERE id = $1', [invoice.walletId])).rows[0]?.uuid);
});
