import type { PaymentStatusView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { canForce } from './can-force';
import { paymentStatus } from './check-payment';
import { requireOwnInvoice } from './get-invoice';
import { settleAndNotify } from './settle-invoice';

/**
 * Declares an own invoice paid although the facts do not settle it. One that they settle meanwhile is simply paid.
 * @throws AppError not_found; force_not_allowed when its wallet received too little or it is paid already
 */
export async function forcePayment(db: Database, userId: number, id: string, clock: Clock): Promise<PaymentStatusView> {
  const row = await requireOwnInvoice(db, userId, id);
  if (!canForce(row)) throw new AppError('force_not_allowed');
  // What decides is read again under the lock: a reorg may have taken the money meanwhile.
  const elsewhere = row.addressReceivedUnits - row.walletReceivedUnits;
  await settleAndNotify(db, row.id, clock, ({ status, amountReceivedUnits }) =>
    canForce({ ...row, status, addressReceivedUnits: amountReceivedUnits + elsewhere }),
  );
  const answer = await paymentStatus(db, userId, id, clock);
  if (!answer.isPaid) throw new AppError('force_not_allowed');
  return answer;
}
