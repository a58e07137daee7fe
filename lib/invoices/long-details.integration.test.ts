import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { InvoiceDetailView, PublicInvoiceView } from '@/lib/api-schema/invoices';
import { TransactionList } from '@/lib/api-schema/wallets';
import { listWalletTransactions } from '@/lib/deposits/list-wallet-transactions';
import { MAX_LISTED } from '@/lib/shared/limits';
import { type MadeInvoice, makeCursor, makeDeposit, makeInvoice, makeUser } from '@/testing/factories';
import { stubWebEnvironment } from '@/testing/stub-web-environment';
import { createTestDatabase, type TestDatabase } from '@/testing/test-database';
import { getInvoice, getPublicInvoice } from './get-invoice';

const clock = () => new Date();
const MANY = MAX_LISTED + 50;
let test: TestDatabase;
let userId: number;
let invoice: MadeInvoice;
let payment: string;

beforeAll(async () => {
  test = await createTestDatabase();
  stubWebEnvironment(test.roleUrl('web'), { ETH_RPC_URL: 'http://127.0.0.1:1' });
  const { pool } = test.db;
  userId = (await makeUser(pool)).id;
  await makeCursor(pool);
  invoice = await makeInvoice(pool, { userId });
  const dust = (prefix: string, coin: string, chain: string, walletId: number | null) =>
    pool.query(
      `INSERT INTO deposit (coin, chain, transfer_key, tx_hash, pool_address_id, wallet_id, amount_units, block_height,
         block_hash, block_time)
       SELECT $2::coin, $3::chain, $1 || n, $1 || n, $4::bigint, $5::int, n, 100, '0xblock', now()
       FROM generate_series(1, $6::int) n`,
      [prefix, coin, chain, invoice.poolAddressId, walletId, MANY],
    );
  await dust('before', 'ETH', 'ethereum', invoice.walletId);
  payment = (await makeDeposit(pool, { invoice })).txHash;
  await dust('after', 'ETH', 'ethereum', invoice.walletId);
  await dust('elsewhere', 'BNB', 'bsc', null);
  await pool.query(
    `INSERT INTO invoice_status_change (invoice_id, status, at)
     SELECT $1, (CASE n % 2 WHEN 0 THEN 'paid' ELSE 'pending' END)::invoice_status, now() + n * interval '1 s'
     FROM generate_series(1, $2::int) n`,
    [invoice.id, MANY],
  );
});
afterAll(async () => {
  await test.drop();
  vi.unstubAllEnvs();
});

it('a payment under hundreds of dust transfers is shown, to merchant and customer, and the lists stay short', async () => {
  const detail = InvoiceDetailView.parse(await getInvoice(test.db, userId, invoice.uuid, clock));
  const seen = PublicInvoiceView.parse(await getPublicInvoice(test.db, invoice.uuid, clock));
  for (const { payments } of [detail, seen]) {
    expect(payments).toHaveLength(MAX_LISTED);
    expect(payments.map(({ hash }) => hash)).toContain(payment);
  }
  expect(detail.wrongNetwork).toHaveLength(MAX_LISTED);
  expect(detail.wrongNetwork.map(({ hash }) => hash)).toContain(`elsewhere${MANY}`);
});

it('of many changes of its status an invoice shows the newest, in their order', async () => {
  const { statusHistory } = InvoiceDetailView.parse(await getInvoice(test.db, userId, invoice.uuid, clock));
  expect(statusHistory).toHaveLength(MAX_LISTED);
  const times = statusHistory.map(({ at }) => at);
  expect(times).toEqual([...times].sort());
  const { rows } = await test.db.pool.query('SELECT max(at) AS newest FROM invoice_status_change');
  expect(times.at(-1)).toBe(rows[0].newest.toISOString());
});

it('a wallet shows its newest transfers', async () => {
  const items = await listWalletTransactions(test.db, userId, String(invoice.walletId));
  expect(TransactionList.parse({ items }).items).toHaveLength(MAX_LISTED);
  expect(items[0]?.hash).toBe(`after${MANY}`);
});
