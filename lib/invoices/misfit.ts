import { smallestShownUnits } from '@/lib/shared/money';
import type { LockedInvoice } from './settlement-repository';
import type { Decision } from './state';

/** Money that does not fit its invoice: the owner is told, and decides what becomes of it. */
export type Misfit = 'invoice.paymentLate' | 'invoice.overpaid';

const EVENT_OF_STATE: Partial<Record<Decision['paymentState'], Misfit>> = {
  late: 'invoice.paymentLate',
  overpaid: 'invoice.overpaid',
};

/** The misfit that a decision brings up: once when it begins, and again when more money joins it. Dust, which anyone can
 * send for next to nothing, brings up nothing. */
export function misfitOf(
  before: Pick<LockedInvoice, 'paymentState' | 'amountReceivedUnits' | 'priced'>,
  after: Decision,
): Misfit | null {
  if (!before.priced) return null;
  const more = after.amountReceivedUnits - before.amountReceivedUnits;
  const isNew = before.paymentState !== after.paymentState || more >= smallestShownUnits(before.priced.coin);
  return isNew ? (EVENT_OF_STATE[after.paymentState] ?? null) : null;
}
