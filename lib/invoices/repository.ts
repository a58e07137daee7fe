import type { ListInvoicesQuery } from '@/lib/api-schema/invoices';
import { idColumn } from '@/lib/db/by-id';
import type { Sql } from '@/lib/db/database';
import { type Statement, statement } from '@/lib/db/statement';
import { INVOICE_COLUMNS, INVOICE_JOINS, type InvoiceRow } from './invoice-row';

const SELECT = `SELECT ${INVOICE_COLUMNS} FROM invoice i ${INVOICE_JOINS}`;

const FIND_OWN = {
  id: statement<{ id: string; userId: number }, InvoiceRow>(
    'invoices.find-own-by-id',
    `${SELECT} WHERE i.id = $id AND i.user_id = $userId`,
  ),
  uuid: statement<{ id: string; userId: number }, InvoiceRow>(
    'invoices.find-own-by-uuid',
    `${SELECT} WHERE i.uuid = $id AND i.user_id = $userId`,
  ),
};

/** One merchant's invoice by number or uuid, or null: another merchant's does not exist here. */
export function findOwnInvoice(sql: Sql, userId: number, id: string): Promise<InvoiceRow | null> {
  return FIND_OWN[idColumn(id)].first(sql, { id, userId });
}

const FIND = statement<{ uuid: string }, InvoiceRow>('invoices.find', `${SELECT} WHERE i.uuid = $uuid`);

/** An invoice by uuid, for whoever has the link. */
export function findInvoiceByUuid(sql: Sql, uuid: string): Promise<InvoiceRow | null> {
  return FIND.first(sql, { uuid });
}

interface ListFilter {
  userId: number;
  status: ListInvoicesQuery['status'] | null;
  coin: ListInvoicesQuery['cryptoType'] | null;
  /** What uuid, description, external code or customer's email hold, as a pattern. */
  pattern: string | null;
}

const FILTER = `i.user_id = $userId
  AND ($status::invoice_status IS NULL OR i.status = $status) AND ($coin::coin IS NULL OR i.coin = $coin)
  AND ($pattern::text IS NULL OR i.uuid::text ILIKE $pattern OR i.description ILIKE $pattern
    OR i.external_code ILIKE $pattern OR i.email ILIKE $pattern)`;

type PageStatement = Statement<ListFilter & { limit: number; offset: number }, InvoiceRow>;
type PageStatements = Record<ListInvoicesQuery['orderType'], PageStatement>;

/** The statements of one page, which differ in their order alone. What goes with an invoice is read for those of the page only. */
const PAGE = 'invoices.page';

const inOrderOf = (column: string): PageStatements => {
  const page = (direction: ListInvoicesQuery['orderType']): PageStatement =>
    statement(
      `${PAGE}.by-${column}-${direction}`,
      `${SELECT} WHERE i.id = ANY(ARRAY(
         SELECT i.id FROM invoice i WHERE ${FILTER} ORDER BY i.${column} ${direction}, i.id ${direction} LIMIT $limit OFFSET $offset))
       ORDER BY i.${column} ${direction}, i.id ${direction}`,
    );
  return { ASC: page('ASC'), DESC: page('DESC') };
};

const PAGES: Record<ListInvoicesQuery['orderBy'], PageStatements> = {
  id: inOrderOf('id'),
  createdAt: inOrderOf('created_at'),
  amountEuro: inOrderOf('amount_eur_cents'),
  status: inOrderOf('status'),
  expiryDate: inOrderOf('expires_at'),
};

const COUNT = statement<ListFilter, { total: bigint }>(
  'invoices.count',
  `SELECT count(*) AS total FROM invoice i WHERE ${FILTER}`,
);

/** One page of a merchant's invoices and their total, filtered and ordered as asked. */
export async function selectInvoicePage(
  sql: Sql,
  userId: number,
  query: ListInvoicesQuery,
): Promise<{ rows: InvoiceRow[]; total: number }> {
  const { status = null, cryptoType: coin = null, searchKeyword, page, pageSize } = query;
  const pattern = searchKeyword ? `%${searchKeyword.replace(/[\\%_]/g, '\\$&')}%` : null;
  const filter = { userId, status, coin, pattern };
  const { total } = await COUNT.one(sql, filter);
  const rows = await PAGES[query.orderBy][query.orderType].all(sql, {
    ...filter,
    limit: pageSize,
    offset: (page - 1) * pageSize,
  });
  return { rows, total: Number(total) };
}

const SET_EMAIL = statement<{ uuid: string; email: string }>(
  'invoices.set-email',
  `UPDATE invoice SET email = $email WHERE uuid = $uuid AND email IS NULL AND status = 'pending'`,
);

/** Stores the customer's email unless there is one. @returns false when there is one or the invoice is no longer pending */
export async function updateEmail(sql: Sql, uuid: string, email: string): Promise<boolean> {
  return (await SET_EMAIL.count(sql, { uuid, email })) === 1;
}
