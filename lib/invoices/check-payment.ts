import type { PaymentStatusView, PublicPaymentStatusView } from '@/lib/api-schema/invoices';
import type { Database } from '@/lib/db/database';
import { isPaidStatus, mayStillSettle } from '@/lib/shared/invoice-status';
import type { Clock } from '@/lib/shared/time';
import { describeInvoice, describePublicInvoice, requireInvoice, requireOwnInvoice } from './get-invoice';
import type { InvoiceRow } from './invoice-row';
import { settleAndNotify } from './settle-invoice';
import { shownMoney } from './view';

/**
 * Decides an own invoice's status again from what the watcher has recorded, now.
 * @throws AppError not_found
 */
export async function checkPayment(db: Database, userId: number, id: string, clock: Clock): Promise<PaymentStatusView> {
  const before = await requireOwnInvoice(db, userId, id);
  if (before.status === 'pending') await settleAndNotify(db, before.id, clock);
  return paymentStatus(db, userId, id, clock);
}

/** The answer of a merchant's payment check, as of now. @throws AppError not_found */
export async function paymentStatus(
  db: Database,
  userId: number,
  id: string,
  clock: Clock,
): Promise<PaymentStatusView> {
  const row = await requireOwnInvoice(db, userId, id);
  return { ...statusOf(row, clock()), updatedInvoice: await describeInvoice(db, row, clock) };
}

/**
 * The customer's payment check: decides the status again from what the watcher has recorded.
 * @throws AppError not_found
 */
export async function checkPublicPayment(db: Database, uuid: string, clock: Clock): Promise<PublicPaymentStatusView> {
  const before = await requireInvoice(db, uuid);
  if (before.status === 'pending') await settleAndNotify(db, before.id, clock);
  const row = await requireInvoice(db, uuid);
  return { ...statusOf(row, clock()), updatedInvoice: await describePublicInvoice(db, row, clock) };
}

/**
 * `isExpired` is also true once the time is up and nothing that could still settle the invoice was seen: the page says so at
 * once, the status follows the chain.
 */
function statusOf(row: InvoiceRow, now: Date) {
  const { status, paymentState } = row;
  const isTimeUp = now >= row.expiresAt;
  const { amountPaid, amountRemaining } = shownMoney(row);
  return {
    isPaid: isPaidStatus(status),
    isExpired: status === 'expired' || (status === 'pending' && isTimeUp && !mayStillSettle(paymentState)),
    status,
    amountPaid,
    amountRemaining,
  };
}
