import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from '@/lib/ledger/difference-repository';
import { readHoldings } from './ledger-entries';
import { createPreviousRelease, migrate } from './previous-release';
import type { TestDatabase } from './test-database';

let database: TestDatabase;

/**
 * A local BNB Smart Chain that was replaced once: 5 had come to a wallet and 7 to nobody; the new chain has 4 of the wallet's.
 */
beforeAll(async () => {
  database = await createPreviousRelease();
  await database.db.pool.query(`
    INSERT INTO chain_cursor (coin, epoch, updated_at) VALUES ('BNB', 1, now());
    INSERT INTO wallet (user_id, coin, type, pool_address_id, address) VALUES (2, 'BNB', 'invoice', 6, '0xa7580f28d5304b55594cfc1907f36d91b3d77ce5');
    INSERT INTO deposit (coin, tx_hash, tx_index, pool_address_id, wallet_id, amount_units, block_height, block_hash, block_time, posted_at, bookings, epoch)
      VALUES ('BNB', '0x11', 0, 6, 5, 5, 900, '0xb', '2026-11-18Z', '2026-11-18Z', 1, 0),
        ('BNB', '0x22', 0, 7, NULL, 7, 901, '0xb', '2026-11-18Z', '2026-11-18Z', 1, 0),
        ('BNB', '0x33', 0, 6, 5, 4, 10, '0xb', '2026-11-18Z', '2026-11-18Z', 1, 1);
    INSERT INTO ledger_account (coin, kind, wallet_id) VALUES ('BNB', 'chain', NULL), ('BNB', 'wallet', 5), ('BNB', 'unattributed', NULL);
    INSERT INTO ledger_entry (key, kind, coin) VALUES ('deposit:7:1', 'deposit', 'BNB'), ('deposit:8:1', 'deposit', 'BNB'),
      ('chain_reset:1:6', 'chain_reset', 'BNB'), ('chain_reset:1:7', 'chain_reset', 'BNB'), ('deposit:9:1', 'deposit', 'BNB');
    INSERT INTO ledger_posting VALUES (5, 6, 5), (5, 5, -5), (6, 7, 7), (6, 5, -7), (7, 6, -5), (7, 5, 5), (8, 7, -7), (8, 5, 7),
      (9, 6, 4), (9, 5, -4);
  `);
  await migrate(database);
}, 180_000);
afterAll(() => database.drop());

test('money of a local chain that was replaced before the upgrade lies nowhere and is nobody’s afterwards', async () => {
  const holdings = (await readHoldings(database.db.pool)).filter(({ coin }) => coin === 'BNB');
  expect(holdings.map(({ kind, poolAddressId, units }) => [kind, poolAddressId, units])).toEqual([
    ['wallet', null, 4n],
    ['unattributed', null, 0n],
    ['custody', 6n, 4n],
    ['custody', 7n, 0n],
  ]);
  expect((await auditLedger(database.db.pool, 'BNB')).listed).toEqual([]);
  const { rows } = await database.db.pool.query(
    `SELECT a.pool_address_id AS "address", sum(p.amount_units) AS units FROM ledger_entry e
       JOIN ledger_posting p ON p.entry_id = e.id JOIN ledger_account a ON a.id = p.account_id
     WHERE a.kind = 'custody' AND a.coin = 'BNB' AND e.epoch = 1 GROUP BY 1`,
  );
  expect(rows).toEqual([{ address: 6n, units: 4n }]);
});
