import type { PaymentStatusView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { getInvoice } from './get-invoice';
import { notifyChanges } from './notify-changes';
import { toPaymentStatus } from './payment-status';
import { findOwnInvoice } from './repository';
import { settleInvoice } from './settle-invoice';

/**
 * Decides an own invoice's status again from what the watcher has recorded, now.
 * @throws AppError not_found
 */
export async function checkPayment(db: Database, userId: number, id: string, clock: Clock): Promise<PaymentStatusView> {
  const row = await findOwnInvoice(db.pool, userId, id);
  if (!row) throw new AppError('not_found');
  const settlement = row.status === 'pending' ? await settleInvoice(db, row.id, clock) : null;
  if (settlement) await notifyChanges(db, [settlement]);
  return toPaymentStatus(await getInvoice(db, userId, id, clock));
}
