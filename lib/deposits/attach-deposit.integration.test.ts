import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { postEntries } from '@/lib/ledger/post-entries';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { makeCursor, makeInvoice, makePool, makeUser, makeWallet } from '@/testing/factories';
import { custody, makeEntry, of } from '@/testing/ledger-entries';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { bookConfirmedDeposits } from './bookings';
import { attachDeposit, listUnattributed } from './unattributed';

const ETH = 10n ** 18n;

describe('money that nobody expected', () => {
  let test: TestDatabase;
  let web: Database;
  let watcher: Database;

  beforeAll(async () => {
    test = await createTestDatabase();
    web = openDatabase(test.roleUrl('web'), { max: 5, applicationName: 'web' });
    watcher = openDatabase(test.roleUrl('watcher'), { max: 5, applicationName: 'watcher' });
    await makeCursor(test.db.pool);
  });
  afterAll(async () => {
    await Promise.all([closeDatabase(web), closeDatabase(watcher)]);
    await test.drop();
  });

  let serial = 0;
  const unexpected = async (coin: Coin = 'ETH') => {
    const [address] = await makePool(test.db.pool, { count: 1 });
    const { rows } = await test.db.pool.query<{ id: bigint }>(
      `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, amount_units, block_height, block_hash,
         block_time)
       SELECT $1::coin, $5::chain, $2, $2, id, $3, 50, '0xblock', now() FROM pool_address WHERE address = $4 RETURNING id`,
      [coin, `0x${serial++}`, ETH.toString(), address, COIN_INFO[coin].chain],
    );
    return String(rows[0]?.id);
  };
  const book = () =>
    transaction(watcher, (sql) =>
      bookConfirmedDeposits(sql, { chain: 'ethereum', epoch: 0, height: 60n, confirmedHeight: 60n }, new Date()),
    );
  const accounts = async (walletId: number) => {
    const { rows } = await test.db.pool.query(
      `SELECT a.kind, sum(p.amount_units) AS units FROM ledger_posting p JOIN ledger_account a ON a.id = p.account_id
       WHERE a.kind IN ('unattributed', 'custody') OR a.wallet_id = $1 GROUP BY 1`,
      [walletId],
    );
    return Object.fromEntries(rows.map(({ kind, units }) => [kind, BigInt(units)]));
  };
  const owner = async () => makeInvoice(test.db.pool, { userId: (await makeUser(test.db.pool)).id });

  it('is listed until it is attached; then it is the wallet’s and lies where it lay, is queued, and the audit knows who did it', async () => {
    const depositId = await unexpected();
    await book();
    const invoice = await owner();
    expect(await listUnattributed(web, { page: 1, pageSize: 10 })).toMatchObject({
      total: 1,
      items: [{ id: depositId, cryptoType: 'ETH', amount: '1.00000000', ownerEmail: null }],
    });
    await attachDeposit(web, { depositId, target: invoice.uuid, operator: 'anna', note: 'Bonifico dal cliente' });
    expect((await listUnattributed(web, { page: 1, pageSize: 10 })).total).toBe(0);
    expect(await accounts(invoice.walletId)).toEqual({ custody: ETH, unattributed: 0n, wallet: ETH });
    const places = await test.db.pool.query(
      `SELECT a.pool_address_id = d.pool_address_id AS "isAddress", o.amount_units AS units FROM deposit d
         JOIN ledger_entry e ON e.fact = 'deposit' AND e.fact_id = d.id
         JOIN ledger_posting o ON o.entry_id = e.id JOIN ledger_account a ON a.id = o.account_id AND a.kind = 'custody'
       WHERE d.id = $1`,
      [depositId],
    );
    expect(places.rows).toEqual([{ isAddress: true, units: ETH }]);
    const { rows } = await test.db.pool.query(
      `SELECT operator, note, (SELECT count(*)::int FROM settlement_task WHERE wallet_id = $1) AS tasks FROM deposit_attribution`,
      [invoice.walletId],
    );
    expect(rows).toEqual([{ operator: 'anna', note: 'Bonifico dal cliente', tasks: 1 }]);
  });

  it('goes to one owner, however many try at once', async () => {
    const depositId = await unexpected();
    await book();
    const invoices = [];
    for (let n = 0; n < 5; n++) invoices.push(await owner());
    const tried = await Promise.allSettled(
      invoices.map(({ uuid }) => attachDeposit(web, { depositId, target: uuid, operator: 'anna', note: null })),
    );
    expect(tried.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is booked to its owner directly when it is attached before it is confirmed', async () => {
    const depositId = await unexpected();
    const invoice = await owner();
    await attachDeposit(web, { depositId, target: String(invoice.walletId), operator: 'anna', note: null });
    await book();
    expect((await accounts(invoice.walletId)).wallet).toBe(ETH);
  });

  it('repays what its new owner lost to a reorg before it can be spent', async () => {
    const depositId = await unexpected();
    await book();
    const { walletId, poolAddressId } = await owner();
    const lost = makeEntry('reversal', [
      [of(walletId), -7n],
      [custody(poolAddressId), -7n],
    ]);
    await transaction(watcher, (sql) => postEntries(sql, [lost]));
    await attachDeposit(web, { depositId, target: String(walletId), operator: 'anna', note: null });
    expect(await accounts(walletId)).toMatchObject({ wallet: ETH - 7n, reorg_loss: 0n });
  });

  it('is nobody’s for good when its local chain was replaced: it is gone, and cannot be attached', async () => {
    const depositId = await unexpected();
    await book();
    const { uuid } = await owner();
    const { total } = await listUnattributed(web, { page: 1, pageSize: 10 });
    await test.db.pool.query('UPDATE chain_cursor SET epoch = 1');
    try {
      expect((await listUnattributed(web, { page: 1, pageSize: 10 })).total).toBe(0);
      await expect(attachDeposit(web, { depositId, target: uuid, operator: 'anna', note: null })).rejects.toMatchObject(
        { code: 'not_unattributed' },
      );
    } finally {
      await test.db.pool.query('UPDATE chain_cursor SET epoch = 0');
    }
    expect((await listUnattributed(web, { page: 1, pageSize: 10 })).total).toBe(total);
  });

  it('on an address with wallets in several coins is listed once, with the merchant who took the address', async () => {
    const before = await listUnattributed(web, { page: 1, pageSize: 50 });
    const user = await makeUser(test.db.pool);
    const invoice = await makeInvoice(test.db.pool, { userId: user.id });
    await makeWallet(test.db.pool, { poolAddressId: invoice.poolAddressId, userId: user.id, coin: 'BNB' });
    await test.db.pool.query(
      `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, amount_units)
       VALUES ('ETH', 'ethereum', '0xsame', '0xsame', $1, 5)`,
      [invoice.poolAddressId],
    );
    const { items, total } = await listUnattributed(web, { page: 1, pageSize: 50 });
    expect(total).toBe(before.total + 1);
    expect(items[0]).toMatchObject({ hash: '0xsame', ownerEmail: user.email, invoiceUuid: invoice.uuid });
  });

  it('makes its address one that nobody gets any more [A19]', async () => {
    const depositId = await unexpected();
    const invoice = await owner();
    const { rows } = await test.db.pool.query(
      'SELECT 1 FROM deposit d JOIN wallet w USING (pool_address_id) WHERE d.id = $1 OR (w.id = $2 AND d.wallet_id IS NULL)',
      [depositId, invoice.walletId],
    );
    expect(rows).toEqual([]);
  });

  it('is not given to a wallet of another coin, nor to nobody', async () => {
    await makeCursor(test.db.pool, { chain: 'bsc' });
    const depositId = await unexpected('BNB');
    const invoice = await owner();
    const attach = (target: string) => attachDeposit(web, { depositId, target, operator: 'anna', note: null });
    await expect(attach(invoice.uuid)).rejects.toMatchObject({ code: 'not_unattributed' });
    await expect(attach('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});
