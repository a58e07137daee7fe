import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { transaction } from '@/lib/db/transaction';
import type { LedgerEntry } from '@/lib/ledger/entry';
import { postEntries } from '@/lib/ledger/post-entries';
import { paymentOf } from '@/testing/made-chain';
import { type Payable, type RecordedChain, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';

const DUE = 10n ** 16n;

let database: TestDatabase;
let chain: RecordedChain;
let invoice: Payable;
let other: Payable;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  chain = await startRecordedChain(database.db, { invoiceCount: 2 });
  const [first, second] = chain.invoices;
  if (!second) throw new Error('one invoice only');
  [invoice, other] = [first, second];
});

const pay = (name: string, to: Payable = invoice) => paymentOf(name, to.address, DUE);

/** What a wallet holds, and what of it was lost. */
async function holdings({ walletId }: Payable): Promise<{ held: bigint; lost: bigint }> {
  const { rows } = await database.db.pool.query<{ kind: string; units: bigint }>(
    `SELECT a.kind, sum(p.amount_units) AS units FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id
     WHERE a.wallet_id = $1 GROUP BY 1`,
    [walletId],
  );
  const of = (kind: string) => BigInt(rows.find((row) => row.kind === kind)?.units ?? 0n);
  return { held: of('wallet'), lost: of('reorg_loss') };
}

async function spend(units: bigint): Promise<void> {
  const { walletId, poolAddressId } = invoice;
  const postings: LedgerEntry['postings'] = [
    { account: { kind: 'wallet', walletId }, amountUnits: -units },
    { account: { kind: 'custody', poolAddressId: BigInt(poolAddressId) }, amountUnits: -units },
  ];
  const fact = { kind: 'network_fee', fact: 'withdrawal', factId: 1n, booking: 1, epoch: 0 } as const;
  const block = { height: 103n, time: new Date() };
  await transaction(database.db, (sql) => postEntries(sql, [{ ...fact, coin: 'ETH', block, postings }]));
}

test('of two payments of one wallet that one reorg takes, no more is lost than was spent of both', async () => {
  await chain.record(101, 105, { transfers: { 101: [pay('one')], 102: [pay('two')] } });
  await spend(DUE / 4n);
  await chain.undo(100);
  expect(await holdings(invoice)).toEqual({ held: 0n, lost: -DUE / 4n });
});

test('more than one payment spent is lost over both, each to its end', async () => {
  await chain.record(101, 105, { transfers: { 101: [pay('one')], 102: [pay('two')] } });
  await spend(DUE + DUE / 4n);
  await chain.undo(100);
  expect(await holdings(invoice)).toEqual({ held: 0n, lost: -(DUE + DUE / 4n) });
});

test("a reorg takes back the payments above its fork, and of nobody else's wallet anything", async () => {
  await chain.record(101, 108, { transfers: { 101: [pay('one'), pay('theirs', other)], 104: [pay('two')] } });
  await chain.undo(103);
  expect([await holdings(invoice), await holdings(other)]).toEqual([
    { held: DUE, lost: 0n },
    { held: DUE, lost: 0n },
  ]);
});
