import type { PaymentState } from '@/lib/shared/invoice-status';
import { leastToldUnits } from '@/lib/shared/money';
import { INVOICE_EVENTS } from './events';
import type { Decision, InvoiceFacts } from './state';

/** Money that does not fit its invoice: the owner is told, and decides what becomes of it. */
export type Misfit = (typeof INVOICE_EVENTS)['paymentLate' | 'overpaid'];

const EVENT_OF_STATE: Record<PaymentState, Misfit | null> = {
  unpaid: null,
  seen: null,
  partial: null,
  confirming: null,
  settled: null,
  overpaid: INVOICE_EVENTS.overpaid,
  late: INVOICE_EVENTS.paymentLate,
  reversed: null,
};

/**
 * The misfit that a decision brings up: once when it begins, and again when more money joins it. Dust, which anyone can send
 * for next to nothing, brings up nothing.
 */
export function misfitOf(
  before: Pick<InvoiceFacts, 'priced'> & { paymentState: PaymentState; amountReceivedUnits: bigint },
  after: Decision,
): Misfit | null {
  if (!before.priced) return null;
  const more = after.amountReceivedUnits - before.amountReceivedUnits;
  const isNew = before.paymentState !== after.paymentState || more >= leastToldUnits(before.priced.coin);
  return isNew ? EVENT_OF_STATE[after.paymentState] : null;
}
