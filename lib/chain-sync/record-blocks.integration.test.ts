import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ConfirmationRule, ScannedBlock, Transfer } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { auditBookings } from '@/lib/deposits/booking-audit-repository';
import { depositsOfWallets } from '@/lib/deposits/deposits-of-wallets';
import type { LedgerEntry } from '@/lib/ledger/entry';
import { postEntries } from '@/lib/ledger/post-entries';
import { addSeconds } from '@/lib/shared/time';
import { emptyTables } from '@/testing/empty-tables';
import { type MadeInvoice, makeInvoice, makePool, makeUser } from '@/testing/factories';
import { custody, makeEntry, of, readHoldings } from '@/testing/ledger-entries';
import { blockHash, makeBlocks, transferTo } from '@/testing/made-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { applyRule, resetEpoch, startCursor } from './chain-start';
import { noteHead } from './cursor-repository';
import { type Lease, LeaseLostError } from './lease';
import { takeLease } from './lease-keeper';
import { recordBlocks, recordMempool } from './record-blocks';
import { rollBack } from './roll-back';
import { WatchedAddresses } from './watched-addresses';
import { setLoadedGeneration } from './watched-repository';

const ETH = 10n ** 18n;
const NOW = new Date('2026-11-27T12:00:00Z');
const head = { height: 1000n, hash: blockHash('a', 1000), time: NOW, finalizedHeight: null };
const rule: ConfirmationRule = { kind: 'count', blocks: 2 };
const traits = { keptBlocks: 512, transferKey: 'transaction' } as const;
/** Made blocks have dates of their own. */
const ANY_TIME = { toleratedAheadSeconds: null };

let database: TestDatabase;
let db: Database;
let lease: Lease;
let invoice: MadeInvoice;
let address: string;
let spare: string;
let watched: ReadonlyMap<string, bigint>;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
});
afterAll(() => database.drop());

/** A watcher with the lease of ETH and its cursor on block 100, two confirmations asked, one invoice and a spare address. */
beforeEach(async () => {
  await emptyTables(db.pool);
  lease = await newLease();
  const [block] = makeBlocks(100, 100);
  if (!block) throw new Error('no block');
  await startCursor(db, lease, {
    genesisHash: blockHash('a', 0),
    block,
    ancestors: makeBlocks(98, 99),
    head,
    rule,
    ...ANY_TIME,
  });
  await setLoadedGeneration(db.pool, lease, 1n);
  const { id } = await makeUser(db.pool);
  invoice = await makeInvoice(db.pool, { userId: id });
  const { rows } = await db.pool.query<{ address: string }>('SELECT address FROM wallet WHERE id = $1', [
    invoice.walletId,
  ]);
  address = rows[0]?.address ?? '';
  spare = (await makePool(db.pool, { count: 1 }))[0] ?? '';
  await db.pool.query("INSERT INTO pool_generation VALUES ('EVM', 1)");
  const addresses = new WatchedAddresses(db, lease);
  await addresses.load();
  expect(addresses.generation).toBe(1n);
  watched = addresses.ids;
});

async function newLease(): Promise<Lease> {
  await db.pool.query('UPDATE chain_cursor SET lease_expires_at = now()');
  const taken = await takeLease(db, { chain: 'ethereum', owner: 'test', ttlMs: 60_000, confirmations: 2 });
  if (!taken) throw new Error('no lease');
  return taken;
}

type BlocksOptions = Parameters<typeof makeBlocks>[2];

function record(from: number, to: number, options: BlocksOptions = {}, by = lease) {
  return recordBlocks(db, by, {
    blocks: makeBlocks(from, to, options),
    head,
    rule,
    traits,
    watched,
    seenAt: NOW,
    ...ANY_TIME,
  });
}

function paying(height: number, ...transfers: Transfer[]): BlocksOptions {
  return { transfers: { [height]: transfers } };
}

async function cursorHeight(): Promise<string> {
  return (await db.pool.query('SELECT height FROM chain_cursor')).rows[0]?.height;
}

async function takeTasks(): Promise<number[]> {
  const { rows } = await db.pool.query<{ wallet_id: number }>('DELETE FROM settlement_task RETURNING wallet_id');
  return rows.map((row) => row.wallet_id);
}

async function deposits() {
  return (await depositsOfWallets(db.pool, [invoice.walletId])).get(invoice.walletId) ?? [];
}

/** The invoice wallet's money: what the ledger holds, and what the chain shows and is not booked yet. */
async function money() {
  const { rows } = await db.pool.query<{ confirmed: string; unconfirmed: string }>(
    `SELECT coalesce((SELECT balance FROM ledger_account WHERE wallet_id = $1 AND kind = 'wallet'), 0) AS confirmed,
       coalesce((SELECT sum(amount_units) FROM deposit
         WHERE wallet_id = $1 AND posted_at IS NULL AND orphaned_at IS NULL), 0) AS unconfirmed`,
    [invoice.walletId],
  );
  return { confirmedUnits: BigInt(rows[0]?.confirmed ?? -1), unconfirmedUnits: BigInt(rows[0]?.unconfirmed ?? -1) };
}

test('a deposit, its queue entry, the block hashes and the cursor arrive together', async () => {
  const result = await record(101, 103, paying(102, transferTo(address, ETH)));
  expect(result).toEqual({ kind: 'recorded', queuedWallets: 1 });
  expect(await deposits()).toMatchObject([
    { amountUnits: ETH, blockHeight: 102n, seenAt: NOW, confirmations: 2, isConfirmed: true, orphaned: false },
  ]);
  const { rows } = await db.pool.query('SELECT height, hash, head_height, confirmations FROM chain_cursor');
  expect(rows).toEqual([{ height: 103n, hash: blockHash('a', 103), head_height: 1000n, confirmations: 2 }]);
  expect((await db.pool.query('SELECT height FROM chain_block ORDER BY height')).rows).toHaveLength(6);
  expect(await takeTasks()).toEqual([invoice.walletId]);
});

test('nothing arrives when the commit fails: no deposit without its cursor', async () => {
  await db.pool.query('ALTER TABLE chain_cursor ADD CONSTRAINT refuse CHECK (height < 102)');
  await expect(record(101, 102, paying(101, transferTo(address, ETH)))).rejects.toThrow('refuse');
  await db.pool.query('ALTER TABLE chain_cursor DROP CONSTRAINT refuse');
  expect(await deposits()).toEqual([]);
  expect(await cursorHeight()).toBe(100n);
});

test('a wallet is queued again when its deposit reaches the confirmations, and only then', async () => {
  await record(101, 101, paying(101, transferTo(address, ETH)));
  expect(await takeTasks()).toEqual([invoice.walletId]);
  expect(await deposits()).toMatchObject([{ confirmations: 1, isConfirmed: false }]);
  expect(await money()).toEqual({ confirmedUnits: 0n, unconfirmedUnits: ETH });
  await record(102, 102);
  expect(await takeTasks()).toEqual([invoice.walletId]);
  expect(await money()).toEqual({ confirmedUnits: ETH, unconfirmedUnits: 0n });
  await record(103, 110);
  expect(await takeTasks()).toEqual([]);
});

test('a long step confirms every deposit that it passes', async () => {
  await record(101, 104, {
    transfers: { 101: [transferTo(address, 1n, 'one')], 104: [transferTo(address, 2n, 'two')] },
  });
  expect((await deposits()).map((deposit) => deposit.isConfirmed)).toEqual([true, false]);
  await takeTasks();
  await record(105, 400);
  expect(await takeTasks()).toEqual([invoice.walletId]);
  expect((await deposits()).map((deposit) => deposit.isConfirmed)).toEqual([true, true]);
});

test('[C3] an old lease cannot commit, whatever it has read', async () => {
  const old = lease;
  lease = await newLease();
  await expect(record(101, 101, paying(101, transferTo(address, ETH)), old)).rejects.toThrow(LeaseLostError);
  await expect(setLoadedGeneration(db.pool, old, 9n)).rejects.toThrow(LeaseLostError);
  expect(await deposits()).toEqual([]);
  expect(await cursorHeight()).toBe(100n);
});

test('[C3] the same blocks recorded twice at once are recorded once', async () => {
  const options = paying(101, transferTo(address, ETH));
  const results = await Promise.allSettled([record(101, 101, options), record(101, 101, options)]);
  expect(results.map((result) => result.status).toSorted()).toEqual(['fulfilled', 'rejected']);
  expect(await deposits()).toHaveLength(1);
});

test.each([
  ['the same blocks again', 101, 102],
  ['older blocks', 99, 100],
  ['a skipped height', 104, 104],
])('[B4] %s are refused without a trace', async (_, from, to) => {
  await record(101, 102);
  await expect(record(from, to, paying(to, transferTo(address, ETH)))).rejects.toMatchObject({
    reason: 'invalid_answer',
  });
  expect(await deposits()).toEqual([]);
  expect(await cursorHeight()).toBe(102n);
});

test('[B4] one transaction in two blocks of a run is refused', async () => {
  const twice = { transfers: { 101: [transferTo(address, ETH)], 102: [transferTo(address, ETH)] } };
  await expect(record(101, 102, twice)).rejects.toMatchObject({ reason: 'invalid_answer' });
});

test('blocks that do not follow the cursor are a reorg, and are not recorded', async () => {
  expect(await record(101, 102, { after: 'b' })).toEqual({ kind: 'reorg' });
  expect(await cursorHeight()).toBe(100n);
});

test('[B1] an orphaned deposit stops counting, and counts once when it is mined again', async () => {
  const payment = transferTo(address, ETH);
  await record(101, 105, paying(103, payment));
  await takeTasks();
  const branch = makeBlocks(102, 106, { branch: 'b', after: 'a' });
  const nodeChain = [...makeBlocks(100, 101), ...branch];
  const blockAt = async (height: bigint) =>
    nodeChain.find((block) => block.height === height) ?? Promise.reject(height);
  const result = await rollBack(db, lease, { blockAt, rule, orphanedAt: NOW, headHeight: 106n });
  expect(result).toEqual({ kind: 'rolled_back', toHeight: 101n, depth: 4, orphanedDeposits: 1 });
  expect(await takeTasks()).toEqual([invoice.walletId]);
  expect(await deposits()).toMatchObject([{ orphaned: true, confirmations: 0, isConfirmed: false }]);
  expect(await money()).toEqual({
    confirmedUnits: 0n,
    unconfirmedUnits: 0n,
  });
  expect(await record(102, 106, { branch: 'b', after: 'a', transfers: { 106: [payment] } })).toMatchObject({
    kind: 'recorded',
    queuedWallets: 1,
  });
  expect(await deposits()).toMatchObject([{ blockHeight: 106n, orphaned: false, confirmations: 1, amountUnits: ETH }]);
});

test('a reorg across the block at which reading began finds its fork below', async () => {
  await record(101, 102);
  const blockAt = async (height: bigint) => {
    const [block] = makeBlocks(Number(height), Number(height), { branch: height <= 99 ? 'a' : 'b' });
    return block ?? Promise.reject(height);
  };
  expect(await rollBack(db, lease, { blockAt, rule, orphanedAt: NOW, headHeight: 106n })).toMatchObject({
    kind: 'rolled_back',
    toHeight: 99n,
  });
  expect(await record(100, 103, { branch: 'b', after: 'a' })).toMatchObject({ kind: 'recorded' });
});

test('[B2] a reorg below what was final, or deeper than the blocks kept, changes nothing', async () => {
  const final = { ...head, finalizedHeight: 103n };
  await recordBlocks(db, lease, {
    blocks: makeBlocks(101, 105),
    head: final,
    rule,
    traits,
    watched,
    seenAt: NOW,
    ...ANY_TIME,
  });
  const forkAt = (fork: number) => async (height: bigint) => {
    const [block] = makeBlocks(Number(height), Number(height), { branch: height <= fork ? 'a' : 'b' });
    return block ?? Promise.reject(height);
  };
  const orphanedAt = NOW;
  expect(await rollBack(db, lease, { blockAt: forkAt(102), rule, orphanedAt, headHeight: 106n })).toEqual({
    kind: 'refused',
    reason: 'reorg_below_finalized',
  });
  expect(await rollBack(db, lease, { blockAt: forkAt(0), rule, orphanedAt, headHeight: 106n })).toEqual({
    kind: 'refused',
    reason: 'reorg_too_deep',
  });
  expect(await cursorHeight()).toBe(105n);
  expect(await rollBack(db, lease, { blockAt: forkAt(103), rule, orphanedAt, headHeight: 106n })).toMatchObject({
    kind: 'rolled_back',
    depth: 2,
  });
});

test('finality beyond what was read says nothing about the blocks read before', async () => {
  const final = { ...head, finalizedHeight: 900n };
  await recordBlocks(db, lease, {
    blocks: makeBlocks(101, 105),
    head: final,
    rule,
    traits,
    watched,
    seenAt: NOW,
    ...ANY_TIME,
  });
  expect((await db.pool.query('SELECT finalized_height FROM chain_cursor')).rows).toEqual([{ finalized_height: 105n }]);
});

test('finality never falls, also when a node stops telling it', async () => {
  for (const [height, finalizedHeight] of [
    [101, 101n],
    [102, null],
    [103, 100n],
  ] as const) {
    const told = { ...head, finalizedHeight };
    const blocks = makeBlocks(height, height);
    await recordBlocks(db, lease, { blocks, head: told, rule, traits, watched, seenAt: NOW, ...ANY_TIME });
  }
  const finalized = async () =>
    (await db.pool.query('SELECT finalized_height AS height FROM chain_cursor')).rows[0].height;
  expect(await finalized()).toBe(101n);
  const blockAt = async (height: bigint) => {
    const [block] = makeBlocks(Number(height), Number(height), { branch: height <= 102 ? 'a' : 'b' });
    return block ?? Promise.reject(height);
  };
  expect(await rollBack(db, lease, { blockAt, rule, orphanedAt: NOW, headHeight: 106n })).toMatchObject({
    kind: 'rolled_back',
  });
  expect(await finalized()).toBe(101n);
});

test('fewer confirmations than before book at once what counts now, so that the books agree', async () => {
  const patient: ConfirmationRule = { kind: 'count', blocks: 100 };
  const blocks = makeBlocks(101, 180, paying(103, transferTo(address, ETH)));
  await recordBlocks(db, lease, { blocks, head, rule: patient, traits, watched, seenAt: NOW, ...ANY_TIME });
  expect(await money()).toEqual({ confirmedUnits: 0n, unconfirmedUnits: ETH });
  await applyRule(db, lease, rule, NOW);
  expect(await deposits()).toMatchObject([{ isConfirmed: true }]);
  expect(await money()).toEqual({ confirmedUnits: ETH, unconfirmedUnits: 0n });
  expect((await auditBookings(db.pool, 'ETH')).listed).toEqual([]);
});

test('on a chain whose transactions move money once, a transfer of another name is refused, in a block and waiting', async () => {
  const odd = { ...transferTo(address, ETH), key: 'odd' };
  await expect(record(101, 101, paying(101, odd))).rejects.toMatchObject({ reason: 'invalid_answer' });
  const look = recordMempool(db, lease, [odd], { rule, traits, watched, seenAt: NOW, isComplete: true });
  await expect(look).rejects.toMatchObject({ reason: 'invalid_answer' });
  expect(await deposits()).toEqual([]);
});

test('a branch whose first block is dated before the block that it replaces is a reorg, and no fault', async () => {
  await record(101, 101);
  const [block] = makeBlocks(102, 102, { branch: 'b' });
  if (!block) throw new Error('no block');
  const blocks = [{ ...block, chainTime: new Date(0) }];
  const run = { blocks, head, rule, traits, watched, seenAt: NOW, ...ANY_TIME };
  expect(await recordBlocks(db, lease, run)).toEqual({ kind: 'reorg' });
});

test('a block that is dated further ahead of the database than tolerated is refused, and one within it recorded', async () => {
  const { rows } = await db.pool.query<{ now: Date }>('SELECT now()');
  const now = rows[0]?.now ?? NOW;
  const dated = (seconds: { time: number; chainTime: number }) => {
    const [block] = makeBlocks(101, 101);
    if (!block) throw new Error('no block');
    const blocks = [{ ...block, time: addSeconds(now, seconds.time), chainTime: addSeconds(now, seconds.chainTime) }];
    return recordBlocks(db, lease, { blocks, head, rule, traits, watched, seenAt: NOW, toleratedAheadSeconds: 600 });
  };
  for (const ahead of [
    { time: 700, chainTime: 0 },
    { time: 0, chainTime: 700 },
    { time: 700, chainTime: 700 },
  ])
    await expect(dated(ahead)).rejects.toMatchObject({ reason: 'invalid_answer' });
  expect(await cursorHeight()).toBe(100n);
  expect(await dated({ time: 590, chainTime: 590 })).toEqual({ kind: 'recorded', queuedWallets: 0 });
});

test('reading does not begin on a block that is dated in the future, nor above one', async () => {
  await emptyTables(db.pool);
  lease = await newLease();
  const { rows } = await db.pool.query<{ later: Date }>("SELECT now() + interval '1 year' AS later");
  const [parent, block] = makeBlocks(99, 100);
  if (!block || !parent || !rows[0]) throw new Error('no block');
  const ahead = { time: rows[0].later, chainTime: rows[0].later };
  const start = { genesisHash: blockHash('a', 0), head, rule, toleratedAheadSeconds: 600 };
  const begun = (from: ScannedBlock, ancestor: ScannedBlock) =>
    startCursor(db, lease, { ...start, block: from, ancestors: [ancestor] });
  await expect(begun({ ...block, ...ahead }, parent)).rejects.toMatchObject({ reason: 'invalid_answer' });
  await expect(begun(block, { ...parent, ...ahead })).rejects.toMatchObject({ reason: 'invalid_answer' });
  expect(await cursorHeight()).toBeNull();
});

test('[A19] money for an address that nobody has is kept without a wallet, and stays so when the address is assigned', async () => {
  const payment = transferTo(spare, ETH);
  expect(await record(101, 101, paying(101, payment))).toEqual({ kind: 'recorded', queuedWallets: 0 });
  const { rows } = await db.pool.query('SELECT wallet_id, amount_units, pool_address_id FROM deposit');
  expect(rows).toEqual([{ wallet_id: null, amount_units: ETH, pool_address_id: watched.get(spare) }]);
});

test('[A4] money on the address of another coin of the family is kept without a wallet', async () => {
  await db.pool.query(`UPDATE wallet SET coin = 'BNB'`);
  await record(101, 101, paying(101, transferTo(address, ETH)));
  expect((await db.pool.query('SELECT wallet_id FROM deposit')).rows).toEqual([{ wallet_id: null }]);
});

test('[A18] the greatest amount of the chain and the smallest survive to the unit', async () => {
  const greatest = 2n ** 256n - 1n;
  await record(101, 101, paying(101, transferTo(address, greatest, 'greatest'), transferTo(address, 1n, 'smallest')));
  expect((await deposits()).map((deposit) => deposit.amountUnits).toSorted()).toEqual([1n, greatest]);
  expect((await money()).unconfirmedUnits).toBe(greatest + 1n);
  await record(102, 102);
  expect((await money()).confirmedUnits).toBe(greatest + 1n);
});

test('the last 512 blocks are kept', async () => {
  await record(101, 700);
  await record(701, 701);
  const { rows } = await db.pool.query(
    'SELECT min(height) AS low, max(height) AS high, count(*)::int FROM chain_block',
  );
  expect(rows).toEqual([{ low: 190n, high: 701n, count: 512 }]);
});

test('a new epoch begins without the money of the old one, whatever became of it, and closes what was pending', async () => {
  const payment = transferTo(address, ETH);
  await record(101, 103, paying(101, payment, transferTo(spare, 5n, 'spare')));
  await transaction(db, (sql) =>
    postEntries(sql, [
      makeEntry('hold', [
        [of(invoice.walletId), -9n],
        [of(invoice.walletId, 'held'), 9n],
      ]),
      makeEntry('swap_send', [
        [custody(invoice.poolAddressId), -4n],
        [{ kind: 'in_swap' }, 4n],
      ]),
      makeEntry('reversal', [
        [of(invoice.walletId), -ETH],
        [custody(invoice.poolAddressId), -ETH],
      ]),
    ]),
  );
  await takeTasks();
  const [block] = makeBlocks(7, 7, { branch: 'new' });
  if (!block) throw new Error('no block');
  expect(
    await resetEpoch(db, lease, { genesisHash: blockHash('new', 0), block, ancestors: [], head, rule, ...ANY_TIME }),
  ).toBe(1);
  expect(await takeTasks()).toEqual([invoice.walletId]);
  expect(await deposits()).toEqual([]);
  expect((await db.pool.query('SELECT count(*)::int FROM chain_block')).rows).toEqual([{ count: 1 }]);
  expect((await readHoldings(db.pool)).filter(({ units, balance }) => units !== 0n || balance !== 0n)).toEqual([]);
  await record(8, 8, { branch: 'new', transfers: { 8: [payment] } });
  expect(await deposits()).toMatchObject([{ blockHeight: 8n, amountUnits: ETH }]);
});

test("an operator's pause stops recording, and only the operator ends it", async () => {
  await db.pool.query(`UPDATE chain_cursor SET paused_reason = 'maintenance'`);
  expect(await record(101, 101, paying(101, transferTo(address, ETH)))).toEqual({ kind: 'paused' });
  expect(await deposits()).toEqual([]);
  await db.pool.query('UPDATE chain_cursor SET paused_reason = NULL');
  expect(await record(101, 101)).toMatchObject({ kind: 'recorded' });
});

test('[A21] confirmed money is booked once, on its address and for its wallet, and unconfirmed not at all', async () => {
  await record(101, 101, paying(101, transferTo(address, ETH)));
  expect((await db.pool.query('SELECT 1 FROM ledger_entry')).rows).toEqual([]);
  await record(102, 110);
  const { rows } = await db.pool.query(
    `SELECT e.kind, a.kind AS account, p.amount_units AS units FROM ledger_entry e JOIN ledger_posting p ON p.entry_id = e.id
     JOIN ledger_account a ON a.id = p.account_id ORDER BY a.kind`,
  );
  expect(rows).toEqual([
    { kind: 'deposit', account: 'custody', units: ETH },
    { kind: 'deposit', account: 'wallet', units: ETH },
  ]);
});

test("money that nobody expected is booked as nobody's", async () => {
  await db.pool.query(`UPDATE wallet SET coin = 'BNB'`);
  await record(101, 103, paying(101, transferTo(address, ETH)));
  const { rows } = await db.pool.query(
    `SELECT a.kind, sum(p.amount_units) AS units FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id
     GROUP BY 1 ORDER BY 1`,
  );
  expect(rows).toEqual([
    { kind: 'custody', units: ETH },
    { kind: 'unattributed', units: ETH },
  ]);
});

test('[B1] a reorg takes booked money out again and its return books it anew; what was spent meanwhile is a loss until then', async () => {
  const payment = transferTo(address, ETH);
  await record(101, 105, paying(102, payment));
  const spent = ETH / 4n;
  const { walletId } = invoice;
  const [held, place] = [of(walletId, 'held'), custody(invoice.poolAddressId)];
  const hold = makeEntry('hold', [
    [of(walletId), -spent],
    [held, spent],
  ]);
  const send = makeEntry('send', [
    [held, -spent],
    [place, -spent],
  ]);
  const unsend = makeEntry(
    'reversal',
    [
      [held, spent],
      [place, spent],
    ],
    { factId: send.factId },
  );
  const book = (...entries: LedgerEntry[]) => transaction(db, (sql) => postEntries(sql, entries));
  await book(hold, send);
  const kept = makeBlocks(100, 101);
  const blockAt = async (height: bigint) =>
    kept.find((block) => block.height === height) ??
    makeBlocks(102, 105, { branch: 'b', after: 'a' }).find((block) => block.height === height) ??
    Promise.reject(height);
  expect(await rollBack(db, lease, { blockAt, rule, orphanedAt: NOW, headHeight: 106n })).toMatchObject({
    orphanedDeposits: 1,
  });
  const sums = async () => Object.fromEntries((await readHoldings(db.pool)).map(({ kind, units }) => [kind, units]));
  expect(await sums()).toEqual({ wallet: 0n, held: 0n, reorg_loss: -spent, custody: -spent });
  await book(unsend);
  expect(await sums()).toEqual({ wallet: 0n, held: spent, reorg_loss: -spent, custody: 0n });
  await record(102, 106, { branch: 'b', after: 'a', transfers: { 104: [payment] } });
  expect(await sums()).toEqual({ wallet: ETH - spent, held: spent, reorg_loss: 0n, custody: ETH });
  await book({ ...send, booking: 2 });
  expect(await sums()).toEqual({ wallet: ETH - spent, held: 0n, reorg_loss: 0n, custody: ETH - spent });
  expect((await money()).confirmedUnits).toBe(ETH - spent);
});

test('an entry stands at the height and time of its deposit, and so does what takes it back', async () => {
  const payment = transferTo(address, ETH);
  const blocks = makeBlocks(101, 105, paying(102, payment));
  await record(101, 105, paying(102, payment));
  const blockAt = async (height: bigint) =>
    [...makeBlocks(100, 101), ...makeBlocks(102, 105, { branch: 'b', after: 'a' })].find(
      (block) => block.height === height,
    ) ?? Promise.reject(height);
  await rollBack(db, lease, { blockAt, rule, orphanedAt: NOW, headHeight: 106n });
  await record(102, 106, { branch: 'b', after: 'a', transfers: { 104: [payment] } });
  const { rows } = await db.pool.query('SELECT kind, booking, height, chain_time, epoch FROM ledger_entry ORDER BY id');
  const block = { height: 102n, chain_time: blocks[1]?.chainTime, epoch: 0 };
  expect(rows).toEqual([
    { kind: 'deposit', booking: 1, ...block },
    { kind: 'reversal', booking: 1, ...block },
    { kind: 'deposit', booking: 2, height: 104n, chain_time: expect.any(Date), epoch: 0 },
  ]);
});

test('a gap of more than a minute between two looks at the node is kept as an outage, once', async () => {
  const head = { height: 1000n, hash: '0xhead', time: NOW, finalizedHeight: null };
  await noteHead(db.pool, lease, head, 'EVM');
  await db.pool.query(`DELETE FROM watcher_outage; UPDATE chain_cursor SET looked_at = now() - interval '5 minutes'`);
  await noteHead(db.pool, lease, head, 'EVM');
  await noteHead(db.pool, lease, head, 'EVM');
  const { rows } = await db.pool.query(
    'SELECT round(extract(epoch FROM ended_at - started_at))::int AS seconds FROM watcher_outage',
  );
  expect(rows).toEqual([{ seconds: 300 }]);
});
