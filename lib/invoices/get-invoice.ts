import type { InvoiceView } from '@/lib/contract/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { findOwnInvoice } from './repository';
import { toInvoiceView } from './view';
import { viewContext } from './view-context';

/**
 * One of the merchant's own invoices, by number or uuid.
 * @throws AppError not_found, also for another merchant's
 */
export async function getInvoice(db: Database, userId: number, id: string, clock: Clock): Promise<InvoiceView> {
  const row = await findOwnInvoice(db.pool, userId, id);
  if (!row) throw new AppError('not_found');
  return toInvoiceView(row, viewContext(clock()));
}
