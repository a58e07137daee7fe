import type { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { coversDue, isPaidStatus } from '@/lib/shared/invoice-status';

/** What the public page shows: three steps, the waits and the two ends. */
export type PayScreen = 'email' | 'coin' | 'pay' | 'partial' | 'confirming' | 'reversed' | 'paid' | 'expired';

type Facts = Pick<PublicInvoiceView, 'status' | 'paymentState' | 'email' | 'wallet' | 'cryptoType'>;

/**
 * Chooses the screen. Money that was seen comes before missing answers, and before the clock: whoever paid in time sees
 * "Pagamento rilevato" even when the time is up.
 * @param isTimeUp the countdown reached zero, whatever the server's last word was
 */
export function payScreen(invoice: Facts, isTimeUp: boolean): PayScreen {
  if (isPaidStatus(invoice.status)) return 'paid';
  if (invoice.status === 'expired') return 'expired';
  if (coversDue(invoice.paymentState)) return 'confirming';
  switch (invoice.paymentState) {
    case 'reversed':
      return 'reversed';
    case 'partial':
      return isTimeUp ? 'expired' : 'partial';
    case 'unpaid':
    case 'late':
      return isTimeUp ? 'expired' : openStep(invoice);
  }
}

function openStep({ email, cryptoType, wallet }: Facts): PayScreen {
  if (email === null) return 'email';
  return cryptoType === null || wallet === null ? 'coin' : 'pay';
}

/** True when the page has nothing more to wait for: polling, events and countdown stop. */
export function isFinal({ status }: Pick<PublicInvoiceView, 'status'>): boolean {
  return status !== 'pending';
}
