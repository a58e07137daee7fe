import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { blockHash, makeBlocks, paymentOf } from '@/testing/made-chain';
import { type Payable, type RecordedChain, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;

let database: TestDatabase;
let chain: RecordedChain;
let invoice: Payable;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  chain = await startRecordedChain(database.db);
  [invoice] = chain.invoices;
});

const pay = (name: string) => paymentOf(name, invoice.address, DUE);
const query = async (text: string) => (await database.db.pool.query(text)).rows;
const entries = () => query('SELECT kind, count(*)::int FROM ledger_entry GROUP BY 1 ORDER BY 1');

test('what the old chain had not confirmed when it was replaced is never booked on the new one', async () => {
  await chain.record(101, 101, { transfers: { 101: [pay('waits')] } });
  await chain.replace(200);
  await chain.record(201, 205);
  expect(await entries()).toEqual([]);
  expect(await query('SELECT epoch, posted_at FROM deposit')).toEqual([{ epoch: 0, posted_at: null }]);
});

test('a roll-back takes back nothing of the chain that was replaced, however high it stood', async () => {
  await chain.record(101, 110, { transfers: { 109: [pay('old')] } });
  await chain.replace(50);
  await chain.record(51, 60, { transfers: { 55: [pay('new')] } });
  await chain.undo(52);
  expect(await query('SELECT epoch, orphaned_at IS NOT NULL AS gone FROM deposit ORDER BY epoch')).toEqual([
    { epoch: 0, gone: false },
    { epoch: 1, gone: true },
  ]);
});

test('what the replaced chain had lost is not reversed by a roll-back of the new one: its money is booked off already', async () => {
  await chain.record(101, 105, { transfers: { 101: [pay('old')] } });
  await chain.replace(50);
  await query('UPDATE deposit SET orphaned_at = now()');
  await chain.record(51, 55);
  const before = await entries();
  await chain.undo(53);
  expect(await entries()).toEqual(before);
});

test('money of the new chain does not pay what was to be paid on the old one', async () => {
  await chain.replace(50);
  await chain.record(51, 60, { transfers: { 52: [pay('new')] } });
  expect(await chain.shown(invoice)).toEqual({ status: 'expired', state: 'unpaid', paid: 0n, received: 0n });
});

test('the cursor stands on the new chain, with all that is known of it, and a pause of the old one is over', async () => {
  await query(`UPDATE chain_cursor SET paused_reason = 'head_lower', unread_since = now(), branch_height = 105`);
  await chain.replace(50);
  const [block] = makeBlocks(50, 50, { branch: 'new' });
  expect(
    await query(`SELECT genesis_hash, epoch, height, hash, chain_time, head_height, finalized_height, confirmed_height,
      paused_reason, unread_since, branch_height FROM chain_cursor`),
  ).toEqual([
    {
      ...{ genesis_hash: blockHash('new', 0), epoch: 1, height: 50n, hash: block?.hash, chain_time: block?.chainTime },
      ...{
        head_height: 50n,
        finalized_height: null,
        confirmed_height: 49n,
        paused_reason: null,
        unread_since: null,
        branch_height: null,
      },
    },
  ]);
});

test('a transfer of the same name is another one on the new chain', async () => {
  await chain.record(101, 105, { transfers: { 101: [pay('same')] } });
  expect(await chain.shown(invoice)).toMatchObject({ status: 'paid' });
  await chain.replace(50);
  await chain.record(51, 60, { transfers: { 52: [pay('same')] } });
  expect(await query('SELECT epoch, block_height::int AS height FROM deposit ORDER BY epoch')).toEqual([
    { epoch: 0, height: 101 },
    { epoch: 1, height: 52 },
  ]);
});
