import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { paymentOf } from '@/testing/made-chain';
import { type Payable, type RecordedChain, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { applyRule } from './chain-start';
import { LeaseLostError } from './lease';

let database: TestDatabase;
let chain: RecordedChain;
let invoice: Payable;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

/** A payment is booked; then another watcher takes the lease. */
beforeEach(async () => {
  chain = await startRecordedChain(database.db);
  [invoice] = chain.invoices;
  await chain.record(101, 105, { transfers: { 103: [pay('booked')] } });
  await database.db.pool.query('UPDATE chain_cursor SET lease_token = lease_token + 1');
});

const pay = (name: string) => paymentOf(name, invoice.address, 10n ** 16n);

/** All that the watcher writes. */
async function written(): Promise<unknown> {
  const { rows } = await database.db.pool.query(
    `SELECT (SELECT json_agg(c) FROM chain_cursor c) AS cursor, (SELECT json_agg(d ORDER BY d.id) FROM deposit d) AS deposits,
       (SELECT count(*) FROM ledger_entry) AS entries, (SELECT json_agg(b ORDER BY b.height) FROM chain_block b) AS blocks,
       (SELECT count(*) FROM settlement_task) AS tasks`,
  );
  return rows;
}

/** Whatever was read under the old lease is dropped, whole. */
test.each<[string, () => Promise<unknown>]>([
  ['blocks', () => chain.record(106, 107, { transfers: { 106: [pay('later')] } })],
  ['what waits in the mempool', () => chain.look([pay('waits')])],
  ['a roll-back', () => chain.undo(102)],
  ['the end of an epoch', () => chain.replace(50)],
  [
    'another rule of confirmations',
    () =>
      applyRule(
        database.db,
        { chain: 'ethereum', owner: 'test', token: 1n },
        { kind: 'count', blocks: 1 },
        new Date('2026-11-27T12:00:00Z'),
      ),
  ],
])('a watcher whose lease was taken writes nothing: %s', async (_, act) => {
  const before = await written();
  await expect(act()).rejects.toThrow(LeaseLostError);
  expect(await written()).toEqual(before);
});
