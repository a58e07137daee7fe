import type { ListInvoicesQuery } from '@/lib/api-schema/invoices';
import { idColumn } from '@/lib/db/by-id';
import type { Sql } from '@/lib/db/database';
import type { Coin } from '@/lib/shared/coins';
import { WATCHER_STALE_SECONDS } from '@/lib/shared/limits';
import { INVOICE_COLUMNS, INVOICE_JOINS, type InvoiceRow, type RawInvoiceRow, toInvoiceRow } from './invoice-row';

const SELECT = `SELECT ${INVOICE_COLUMNS} FROM invoice i ${INVOICE_JOINS}`;

/** One merchant's invoice by number or uuid, or null: another merchant's does not exist here. */
export async function findOwnInvoice(sql: Sql, userId: number, id: string): Promise<InvoiceRow | null> {
  const { rows } = await sql.query<RawInvoiceRow>(`${SELECT} WHERE i.${idColumn(id)} = $1 AND i.user_id = $2`, [
    id,
    userId,
  ]);
  return rows[0] ? toInvoiceRow(rows[0]) : null;
}

/** An invoice by uuid, for whoever has the link. */
export async function findInvoiceByUuid(sql: Sql, uuid: string): Promise<InvoiceRow | null> {
  const { rows } = await sql.query<RawInvoiceRow>(`${SELECT} WHERE i.uuid = $1`, [uuid]);
  return rows[0] ? toInvoiceRow(rows[0]) : null;
}

const ORDER_COLUMNS: Record<ListInvoicesQuery['orderBy'], string> = {
  id: 'i.id',
  createdAt: 'i.created_at',
  amountEuro: 'i.amount_eur_cents',
  status: 'i.status',
  expiryDate: 'i.expires_at',
};

/** One page of a merchant's invoices and their total, filtered and ordered as asked. */
export async function selectInvoicePage(
  sql: Sql,
  userId: number,
  query: ListInvoicesQuery,
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const values: unknown[] = [userId];
  const conditions = ['i.user_id = $1'];
  const add = (condition: (parameter: string) => string, value: unknown) => {
    values.push(value);
    conditions.push(condition(`$${values.length}`));
  };
  if (query.status) add((p) => `i.status = ${p}::invoice_status`, query.status);
  if (query.cryptoType) add((p) => `i.coin = ${p}::coin`, query.cryptoType);
  if (query.searchKeyword) add(searchCondition, `%${query.searchKeyword.replace(/[\\%_]/g, '\\$&')}%`);
  const where = conditions.join(' AND ');
  const counted = await sql.query<{ total: string }>(`SELECT count(*) AS total FROM invoice i WHERE ${where}`, values);
  const order = `${ORDER_COLUMNS[query.orderBy]} ${query.orderType}, i.id ${query.orderType}`;
  const { rows } = await sql.query<RawInvoiceRow>(
    `${SELECT} WHERE ${where} ORDER BY ${order} LIMIT ${query.pageSize} OFFSET ${(query.page - 1) * query.pageSize}`,
    values,
  );
  return { rows: rows.map(toInvoiceRow), total: Number(counted.rows[0]?.total ?? 0) };
}

/** Uuid, description, external code and customer's email are searched. */
function searchCondition(parameter: string): string {
  const columns = ['i.uuid::text', 'i.description', 'i.external_code', 'i.email'];
  return `(${columns.map((column) => `${column} ILIKE ${parameter}`).join(' OR ')})`;
}

export interface NewInvoice {
  userId: number;
  apiKeyId: number | null;
  description: string | null;
  externalCode: string | null;
  amountEurCents: number;
  expiryMinutes: number;
  createdAt: Date;
  expiresAt: Date;
}

export interface Pricing {
  coin: Coin;
  family: string;
  amountUnits: bigint;
  rate: string;
}

const INVOICE_FIELDS =
  'user_id, api_key_id, description, external_code, amount_eur_cents, expiry_minutes, created_at, expires_at';
const fieldValues = (invoice: NewInvoice) => [
  invoice.userId,
  invoice.apiKeyId,
  invoice.description,
  invoice.externalCode,
  invoice.amountEurCents,
  invoice.expiryMinutes,
  invoice.createdAt,
  invoice.expiresAt,
];

/** What a new invoice gets from the database. */
export interface InsertedInvoice {
  id: number;
  uuid: string;
  walletId: number | null;
  walletUuid: string | null;
  walletAddress: string | null;
  chainEpoch: number | null;
  confirmationsRequired: number | null;
  merchantName: string;
}

/** Stores an invoice whose coin the customer will choose. */
export async function insertUnpricedInvoice(sql: Sql, invoice: NewInvoice): Promise<InsertedInvoice> {
  const { rows } = await sql.query<InsertedInvoice>(
    `WITH i AS (INSERT INTO invoice (${INVOICE_FIELDS}, tolerance_basis_points)
       SELECT $1, $2, $3, $4, $5, $6, $7, $8, u.tolerance_basis_points FROM user_account u WHERE u.id = $1 RETURNING id, uuid, user_id)
     SELECT i.id, i.uuid, NULL::int AS "walletId", NULL::uuid AS "walletUuid", NULL AS "walletAddress",
       NULL::int AS "chainEpoch", NULL::int AS "confirmationsRequired", u.name AS "merchantName"
     FROM i JOIN user_account u ON u.id = i.user_id`,
    fieldValues(invoice),
  );
  const [row] = rows;
  if (!row) throw new Error('The invoice was not stored: its user does not exist.');
  return row;
}

/** The coin's cursor while its watcher works. */
const LIVE_CURSOR = (coin: string, now: string) =>
  `SELECT epoch, confirmations FROM chain_cursor WHERE coin = ${coin} AND paused_reason IS NULL
     AND updated_at > ${now}::timestamptz - interval '${WATCHER_STALE_SECONDS} s' AND height IS NOT NULL`;

/** Stores an invoice with its coin, amount and a wallet of its own, in one statement. @returns null when there is no free watched address or no live watcher */
export async function insertPricedInvoice(
  sql: Sql,
  invoice: NewInvoice,
  pricing: Pricing,
): Promise<InsertedInvoice | null> {
  const { rows } = await sql.query<InsertedInvoice>({
    name: 'insert-priced-invoice',
    text: `WITH c AS (${LIVE_CURSOR('$9::coin', '$7')}),
       w AS (SELECT w.* FROM c, claim_wallet($1, $9::coin, 'invoice', $10::address_family) w),
       i AS (INSERT INTO invoice (${INVOICE_FIELDS}, tolerance_basis_points, coin, amount_units, rate, wallet_id,
           chain_epoch)
         SELECT $1, $2, $3, $4, $5, $6, $7, $8, u.tolerance_basis_points, $9::coin, $11, $12, w.id, c.epoch
         FROM w, c, user_account u WHERE u.id = $1 RETURNING id, uuid, user_id)
     SELECT i.id, i.uuid, w.id AS "walletId", w.uuid AS "walletUuid", w.address AS "walletAddress",
       c.epoch AS "chainEpoch", c.confirmations AS "confirmationsRequired", u.name AS "merchantName"
     FROM i JOIN user_account u ON u.id = i.user_id, w, c`,
    values: [...fieldValues(invoice), pricing.coin, pricing.family, pricing.amountUnits.toString(), pricing.rate],
  });
  return rows[0] ?? null;
}

/** Gives a pending invoice without a coin its coin, amount and wallet. @returns false when it has a coin, is over, or no address is free */
export async function priceInvoice(sql: Sql, uuid: string, pricing: Pricing, now: Date): Promise<boolean> {
  const { rowCount } = await sql.query(
    `WITH open AS (SELECT id, user_id FROM invoice
         WHERE uuid = $1 AND coin IS NULL AND status = 'pending' AND expires_at > $6::timestamptz FOR NO KEY UPDATE),
       c AS (${LIVE_CURSOR('$2::coin', '$6')}),
       w AS (SELECT w.id FROM open, c, claim_wallet(open.user_id, $2::coin, 'invoice', $3::address_family) w)
     UPDATE invoice SET coin = $2::coin, amount_units = $4, rate = $5, wallet_id = w.id, chain_epoch = c.epoch
     FROM open, w, c WHERE invoice.id = open.id`,
    [uuid, pricing.coin, pricing.family, pricing.amountUnits.toString(), pricing.rate, now],
  );
  return rowCount === 1;
}

/** Why a coin cannot be sold now. */
export async function findCoinProblem(sql: Sql, coin: Coin, now: Date): Promise<'chain' | 'addresses'> {
  const { rowCount } = await sql.query(LIVE_CURSOR('$1::coin', '$2'), [coin, now]);
  return rowCount === 0 ? 'chain' : 'addresses';
}

/** Coins that have a live watcher. */
export async function selectLiveCoins(sql: Sql, now: Date): Promise<Coin[]> {
  const { rows } = await sql.query<{ coin: Coin }>(
    `SELECT coin FROM chain_cursor WHERE paused_reason IS NULL AND height IS NOT NULL
       AND updated_at > $1::timestamptz - interval '${WATCHER_STALE_SECONDS} s'`,
    [now],
  );
  return rows.map((row) => row.coin);
}

/** Stores the customer's email unless there is one. @returns false when there is one or the invoice is no longer pending */
export async function updateEmail(sql: Sql, uuid: string, email: string): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE invoice SET email = $2 WHERE uuid = $1 AND email IS NULL AND status = 'pending'`,
    [uuid, email],
  );
  return rowCount === 1;
}
