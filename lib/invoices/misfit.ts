import type { LockedInvoice } from './settlement-repository';
import type { Decision } from './state';

/** Money that does not fit its invoice: the owner is told, and decides what becomes of it. */
export type Misfit = 'invoice.paymentLate' | 'invoice.overpaid';

const EVENT_OF_STATE: Partial<Record<Decision['paymentState'], Misfit>> = {
  late: 'invoice.paymentLate',
  overpaid: 'invoice.overpaid',
};

/** The misfit that a decision brings up: once when it begins, and again when more money joins it. */
export function misfitOf(
  before: Pick<LockedInvoice, 'paymentState' | 'amountReceivedUnits'>,
  after: Decision,
): Misfit | null {
  const isNew = before.paymentState !== after.paymentState || before.amountReceivedUnits < after.amountReceivedUnits;
  return isNew ? (EVENT_OF_STATE[after.paymentState] ?? null) : null;
}
