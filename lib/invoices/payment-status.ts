import type { InvoiceStatus } from '@/lib/api-schema/invoices';

interface Money {
  status: InvoiceStatus;
  paymentState: string;
  expiryDate: string;
  serverTime: string;
  amountPaid: string;
  amountRemaining: string | null;
}

/**
 * The answer of every payment check around an invoice's view. `isExpired` is also true once the time is up and nothing
 * that could still settle the invoice was seen: the page says so at once, the status follows the chain.
 */
export function toPaymentStatus<View extends Money>(updatedInvoice: View) {
  const { status, paymentState, amountPaid, amountRemaining } = updatedInvoice;
  const isTimeUp = Date.parse(updatedInvoice.serverTime) >= Date.parse(updatedInvoice.expiryDate);
  const awaitsMoney = status === 'pending' && !['seen', 'confirming', 'reversed'].includes(paymentState);
  return {
    isPaid: status === 'paid' || status === 'forcePaid',
    isExpired: status === 'expired' || (awaitsMoney && isTimeUp),
    status,
    amountPaid,
    amountRemaining,
    updatedInvoice,
  };
}
