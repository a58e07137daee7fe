import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { closeDatabase, type Database, openDatabase } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';
import { makeCursor, makeInvoice, makePool, makeUser } from '@/testing/factories';
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
       WHERE a.kind IN ('unattributed', 'chain') OR a.wallet_id = $1 GROUP BY 1`,
      [walletId],
    );
    return Object.fromEntries(rows.map(({ kind, units }) => [kind, BigInt(units)]));
  };
  const owner = async () => makeInvoice(test.db.pool, { userId: (await makeUser(test.db.pool)).id });

  it('is listed until it is attached; then it is booked to the wallet, queued, and the audit knows who did it', async () => {
    const depositId = await unexpected();
    await book();
    const invoice = await owner();
    expect(await listUnattributed(web, { page: 1, pageSize: 10 })).toMatchObject({
      total: 1,
      items: [{ id: depositId, cryptoType: 'ETH', amount: '1.00000000', ownerEmail: null }],
    });
    await attachDeposit(web, { depositId, target: invoice.uuid, operator: 'anna', note: 'Bonifico dal cliente' });
    expect((await listUnattributed(web, { page: 1, pageSize: 10 })).total).toBe(0);
    expect(await accounts(invoice.walletId)).toEqual({ chain: -ETH, unattributed: 0n, wallet: ETH });
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
    const depositId = await unexpected('BNB');
    const invoice = await owner();
    const attach = (target: string) => attachDeposit(web, { depositId, target, operator: 'anna', note: null });
    await expect(attach(invoice.uuid)).rejects.toMatchObject({ code: 'not_unattributed' });
    await expect(attach('nobody')).rejects.toMatchObject({ code: 'not_found' });
  });
});
