import { type PaymentRules, percentToBasisPoints } from '@/lib/api-schema/payment-rules';
import type { Database } from '@/lib/db/database';
import { AppError } from '@/lib/shared/errors';
import { findPaymentRules, updatePaymentRules } from './repository';

/** The merchant's rules for payments that do not fit to the letter. @throws AppError not_found */
export async function getPaymentRules(db: Database, userId: number): Promise<PaymentRules> {
  const row = await findPaymentRules.first(db.pool, { userId });
  if (!row) throw new AppError('not_found');
  return { tolerancePercent: row.toleranceBasisPoints / 100, latePolicy: row.latePolicy };
}

/**
 * Changes them. The tolerance holds for invoices made from now on; the late policy for late money that is booked from
 * now on, of whatever invoice: what the owner was asked about before stays the owner's to decide.
 * @throws AppError invalid_request
 */
export async function setPaymentRules(db: Database, userId: number, rules: PaymentRules): Promise<PaymentRules> {
  const toleranceBasisPoints = percentToBasisPoints(rules.tolerancePercent);
  if (toleranceBasisPoints === null) throw new AppError('invalid_request');
  await updatePaymentRules.count(db.pool, { userId, toleranceBasisPoints, latePolicy: rules.latePolicy });
  return getPaymentRules(db, userId);
}
