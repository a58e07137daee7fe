import type { InvoiceView, ListInvoicesQuery } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { selectInvoicePage } from './repository';
import { toInvoiceView } from './view';

/** One page of the merchant's own invoices, and how many there are in all. */
export async function listInvoices(
  db: Database,
  userId: number,
  query: ListInvoicesQuery,
  clock: Clock,
): Promise<{ items: InvoiceView[]; total: number }> {
  const { rows, total } = await selectInvoicePage(db.pool, userId, query);
  const now = clock();
  return { items: rows.map((row) => toInvoiceView(row, now)), total };
}
