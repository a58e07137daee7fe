import type { Books } from './books';
import { Violation } from './violation';

interface Answer {
  isPaid: boolean;
  isExpired: boolean;
  status: string;
  updatedInvoice: { uuid: string; paymentState: string; expiryDate: string; amountRemaining: string | null };
}

const COVERED = ['seen', 'confirming', 'settled', 'overpaid'];

/**
 * A payment check answers what is stored, and asks nobody for money who has paid in full.
 * @throws Violation
 */
export function checkAnswer(answer: Answer, { invoices }: Books, now: Date): void {
  const { uuid, paymentState, expiryDate, amountRemaining } = answer.updatedInvoice;
  const stored = invoices.find((invoice) => invoice.uuid === uuid);
  const isSame = stored?.status === answer.status && stored.paymentState === paymentState;
  if (!isSame) throw new Violation('a check answers what is stored', { answer, stored });
  if (answer.isPaid !== ['paid', 'forcePaid'].includes(answer.status))
    throw new Violation('isPaid follows the status', answer);
  const awaitsMoney = answer.status === 'pending' && ['unpaid', 'partial', 'late'].includes(paymentState);
  if (answer.isExpired !== (answer.status === 'expired' || (awaitsMoney && now.getTime() >= Date.parse(expiryDate))))
    throw new Violation('isExpired follows the status and the time', answer);
  if (COVERED.includes(paymentState) && amountRemaining !== null && Number(amountRemaining) !== 0)
    throw new Violation('whoever paid in full is asked for nothing', answer);
}
