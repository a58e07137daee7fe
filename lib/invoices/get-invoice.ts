import type { InvoiceDetailView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { depositsOfInvoice } from './deposits-of-invoice';
import { selectDetails } from './detail-repository';
import { toInvoiceDetailView } from './detail-view';
import { findOwnInvoice } from './repository';
import { viewContext } from './view-context';

/**
 * One of the merchant's own invoices, by number or uuid, with payments and history.
 * @throws AppError not_found, also for another merchant's
 */
export async function getInvoice(db: Database, userId: number, id: string, clock: Clock): Promise<InvoiceDetailView> {
  const row = await findOwnInvoice(db.pool, userId, id);
  if (!row) throw new AppError('not_found');
  const [details, deposits] = await Promise.all([selectDetails(db.pool, row.id), depositsOfInvoice(db.pool, row)]);
  return toInvoiceDetailView(row, deposits, details, viewContext(clock()));
}
