import { afterAll, beforeAll, expect, test } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import { makeCursor, makeInvoice, makeUser, makeWallet } from '@/testing/factories';
import { custody, makeEntry, of, readHoldings } from '@/testing/ledger-entries';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { bookChainReset } from './book-chain-reset';
import { postEntries } from './post-entries';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a chain that was replaced takes the money of its coin and of no other, and books nothing of what is at zero', async () => {
  const { pool } = database.db;
  await makeCursor(pool);
  const { id: userId } = await makeUser(pool);
  const { walletId, poolAddressId } = await makeInvoice(pool, { userId });
  const beside = await makeWallet(pool, { poolAddressId, userId, coin: 'BNB' });
  const [place, wallet, held] = [custody(poolAddressId), of(walletId), of(walletId, 'held')];
  await transaction(database.db, async (sql) => {
    await postEntries(sql, [
      makeEntry('deposit', [
        [wallet, 10n],
        [place, 10n],
      ]),
      makeEntry(
        'hold',
        [
          [wallet, -3n],
          [held, 3n],
        ],
        { block: null },
      ),
      makeEntry(
        'deposit',
        [
          [of(beside.id), 70n],
          [place, 70n],
        ],
        { coin: 'BNB' },
      ),
    ]);
    await postEntries(sql, [
      makeEntry(
        'release',
        [
          [wallet, 3n],
          [held, -3n],
        ],
        { block: null },
      ),
    ]);
    await bookChainReset(sql, 'ETH', 1);
  });
  const left = (await readHoldings(pool)).filter(({ units }) => units !== 0n);
  expect(left.map(({ coin, kind, units }) => [coin, kind, units])).toEqual([
    ['BNB', 'custody', 70n],
    ['BNB', 'wallet', 70n],
  ]);
  const { rows } = await pool.query(
    `SELECT a.kind, e.booking, e.epoch FROM ledger_entry e JOIN ledger_account a ON a.id = e.fact_id
     WHERE e.kind = 'chain_reset' AND e.fact = 'account' ORDER BY 1`,
  );
  expect(rows).toEqual([
    { kind: 'custody', booking: 1, epoch: 0 },
    { kind: 'wallet', booking: 1, epoch: 0 },
  ]);
});
