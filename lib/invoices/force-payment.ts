import type { PaymentStatusView } from '@/lib/contract/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { canForce } from './can-force';
import { getInvoice } from './get-invoice';
import { notifyChanges } from './notify-changes';
import { toPaymentStatus } from './payment-status';
import { findOwnInvoice } from './repository';
import { settleInvoice } from './settle-invoice';
import type { Decision } from './state';

/**
 * Declares an own invoice paid although the facts do not settle it.
 * @throws AppError not_found; force_not_allowed when its wallet received too little or it is paid already
 */
export async function forcePayment(db: Database, userId: number, id: string, clock: Clock): Promise<PaymentStatusView> {
  const row = await findOwnInvoice(db.pool, userId, id);
  if (!row) throw new AppError('not_found');
  if (!canForce(row)) throw new AppError('force_not_allowed');
  const settlement = await settleInvoice(db, row.id, clock, isOpen);
  if (settlement) await notifyChanges(db, [settlement]);
  return toPaymentStatus(await getInvoice(db, userId, id, clock));
}

/** Only an invoice that the facts leave open is forced: one that they settle meanwhile is simply paid. */
function isOpen({ status }: Decision): boolean {
  return status === 'pending' || status === 'expired';
}
