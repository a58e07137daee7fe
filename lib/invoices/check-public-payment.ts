import type { PublicPaymentStatusView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { getPublicInvoice } from './get-public-invoice';
import { notifyChanges } from './notify-changes';
import { toPaymentStatus } from './payment-status';
import { findInvoiceByUuid } from './repository';
import { settleInvoice } from './settle-invoice';

/**
 * The customer's payment check: decides the status again from what the watcher has recorded.
 * @throws AppError not_found
 */
export async function checkPublicPayment(db: Database, uuid: string, clock: Clock): Promise<PublicPaymentStatusView> {
  const row = await findInvoiceByUuid(db.pool, uuid);
  if (!row) throw new AppError('not_found');
  const settlement = row.status === 'pending' ? await settleInvoice(db, row.id, clock) : null;
  if (settlement) await notifyChanges(db, [settlement]);
  return toPaymentStatus(await getPublicInvoice(db, uuid, clock));
}
