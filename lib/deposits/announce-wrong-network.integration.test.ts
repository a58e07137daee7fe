import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { COIN_INFO } from '@/lib/shared/coins';
import { shortUuid } from '@/lib/shared/format';
import { makeCursor, makePool, makeUser, makeWallet } from '@/testing/factories';
import { readHoldings } from '@/testing/ledger-entries';
import { paymentOf } from '@/testing/made-chain';
import { type RecordedChain, startRecordedChain } from '@/testing/recorded-chain';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { auditBookings } from './booking-audit-repository';

const ETH = 10n ** 18n;

let database: TestDatabase;
let db: Database;
/** The watcher's login: what it may not do fails here. */
let watcher: Database;
let chain: RecordedChain;

beforeAll(async () => {
  database = await createTestDatabase();
  db = database.db;
  watcher = openDatabase(database.roleUrl('watcher'), { max: 2, applicationName: 'test-wrong-network' });
});
afterAll(async () => {
  await closeDatabase(watcher);
  await database.drop();
});
beforeEach(async () => {
  await db.pool.query('TRUNCATE outgoing_mail');
});

interface BnbWallet {
  id: number;
  email: string;
  address: string;
  invoiceUuid: string | null;
}

/** A wallet of BNB, on an address that an Ethereum watcher knows too: both chains derive the same addresses. */
async function bnbWallet(type: 'primary' | 'invoice'): Promise<BnbWallet> {
  const { id: userId, email } = await makeUser(db.pool);
  await makePool(db.pool, { count: 1, purpose: type });
  await makeCursor(db.pool, { chain: 'bsc' });
  await db.pool.query(
    `INSERT INTO coin_rule (coin, chain, family, has_own_key, decimals, shown_units, told_units, force_threshold_units,
       grace_seconds) VALUES ('BNB', 'bsc', 'EVM', false, 18, 1e10, 2e12, 1e16, 15) ON CONFLICT DO NOTHING`,
  );
  const { rows } = await db.pool.query<{ id: number; address: string }>(
    `SELECT id, address FROM claim_wallet($1, 'BNB', $2::wallet_type)`,
    [userId, type],
  );
  const [wallet] = rows;
  if (!wallet) throw new Error('no wallet');
  if (type === 'primary') return { ...wallet, email, invoiceUuid: null };
  const made = await db.pool.query<{ uuid: string }>(
    `INSERT INTO invoice (user_id, amount_eur_cents, coin, chain, amount_units, rate, wallet_id, chain_epoch, expiry_minutes,
       expires_at) VALUES ($1, 3118, 'BNB', 'bsc', $2, 600, $3, 0, 60, now() + interval '1 hour') RETURNING uuid`,
    [userId, ETH / 20n, wallet.id],
  );
  return { ...wallet, email, invoiceUuid: made.rows[0]?.uuid ?? null };
}

/** A recorded Ethereum, begun anew, that knows the address of a wallet of BNB. */
async function startWith(type: 'primary' | 'invoice'): Promise<BnbWallet> {
  const made: BnbWallet[] = [];
  const prepare = async () => made.push(await bnbWallet(type));
  chain = await startRecordedChain(db, { recorder: watcher, prepare });
  const [wallet] = made;
  if (!wallet) throw new Error('nothing was prepared');
  return wallet;
}

async function mails() {
  const { rows } = await db.pool.query(
    `SELECT recipient, subject, text FROM outgoing_mail WHERE dedupe_key LIKE 'wrong_network:%' ORDER BY id`,
  );
  return rows;
}

const pay = (name: string, to: string, amountUnits: bigint) => ({ ...paymentOf(name, to, amountUnits), key: name });

test('money on the wrong network counts for nothing, is kept without a wallet, and its merchant is told once', async () => {
  const wallet = await startWith('invoice');
  const { merchantEmail, address, id } = chain.invoices[0];
  const transfers = [pay('wrong', wallet.address, ETH / 4n), pay('right', address, ETH / 100n)];
  await chain.record(101, 103, { transfers: { 101: transfers } });
  expect((await db.pool.query('SELECT coin, chain, wallet_id FROM deposit ORDER BY id')).rows).toEqual([
    { coin: 'ETH', chain: 'ethereum', wallet_id: null },
    { coin: 'ETH', chain: 'ethereum', wallet_id: chain.invoices[0].walletId },
  ]);
  expect(await mails()).toEqual([
    {
      recipient: wallet.email,
      subject: 'Pagamento sulla rete sbagliata: 0.25000000 ETH',
      text: expect.stringMatching(
        `fattura ${shortUuid(wallet.invoiceUuid ?? '')} .*sulla rete Ethereum invece che sulla rete BNB Smart Chain`,
      ),
    },
  ]);
  expect(wallet.email).not.toBe(merchantEmail);
  expect((await db.pool.query('SELECT status FROM invoice WHERE id <> $1', [id])).rows).toEqual([
    { status: 'pending' },
  ]);
  expect((await auditBookings(db.pool, 'ETH')).count).toBe(0);
});

test('money of a coin belongs to the wallet of its address and coin, and each is told once however many wallets the address has', async () => {
  const wallet = await startWith('primary');
  const { rows } = await db.pool.query<{ userId: number; poolAddressId: string }>(
    'SELECT user_id AS "userId", pool_address_id AS "poolAddressId" FROM wallet WHERE id = $1',
    [wallet.id],
  );
  const [owner] = rows;
  if (!owner) throw new Error('no wallet');
  await makeWallet(db.pool, { ...owner, coin: 'TRX' });
  await chain.record(101, 103, { transfers: { 101: [pay('early', wallet.address, ETH)] } });
  expect(await mails()).toMatchObject([{ recipient: wallet.email, text: expect.stringContaining('tuo wallet BNB') }]);
  const same = await makeWallet(db.pool, { ...owner, coin: 'ETH' });
  await expect(makeWallet(db.pool, { ...owner, coin: 'ETH' })).rejects.toThrow('wallet_pool_address_id_coin_key');
  await chain.record(104, 107, { transfers: { 104: [pay('right', wallet.address, ETH / 2n)] } });
  const { rows: deposits } = await db.pool.query('SELECT transfer_key, wallet_id FROM deposit ORDER BY id');
  expect(deposits).toEqual([
    { transfer_key: 'early', wallet_id: null },
    { transfer_key: 'right', wallet_id: same.id },
  ]);
  expect(await mails()).toHaveLength(1);
  const holdings = await readHoldings(db.pool);
  expect(holdings.map(({ kind, units }) => [kind, units])).toEqual([
    ['custody', ETH + ETH / 2n],
    ['unattributed', ETH],
    ['wallet', ETH / 2n],
  ]);
  expect((await auditBookings(db.pool, 'ETH')).count).toBe(0);
});

test('the merchant is told no second time when a reorg moves the money to another block', async () => {
  const wallet = await startWith('primary');
  const transfers = [pay('wrong', wallet.address, ETH)];
  await chain.record(101, 103, { transfers: { 101: transfers } });
  await chain.undo(100);
  await chain.record(101, 103, { branch: 'b', after: 'a', transfers: { 102: transfers } });
  expect(await mails()).toMatchObject([{ recipient: wallet.email, text: expect.stringContaining('tuo wallet BNB') }]);
});

test('every transfer is told of its own, but none for dust, for nobody’s address, or while it waits to be mined', async () => {
  const wallet = await startWith('primary');
  const { dustUnits } = COIN_INFO.ETH;
  await chain.look([pay('first', wallet.address, ETH)]);
  expect(await mails()).toEqual([]);
  await chain.record(101, 101, {
    transfers: {
      101: [
        pay('first', wallet.address, ETH),
        pay('dust', wallet.address, dustUnits - 1n),
        pay('one unit', wallet.address, 1n),
        pay('free', chain.spare, ETH),
        pay('least', wallet.address, dustUnits),
      ],
    },
  });
  expect((await mails()).map(({ subject }) => subject)).toEqual([
    'Pagamento sulla rete sbagliata: 1.00000000 ETH',
    'Pagamento sulla rete sbagliata: 0.00000500 ETH',
  ]);
  expect((await db.pool.query('SELECT id FROM deposit WHERE wallet_id IS NULL')).rows).toHaveLength(5);
});
