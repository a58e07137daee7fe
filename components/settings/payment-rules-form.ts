import { z } from 'zod';
import { PaymentRules } from '@/lib/api-schema/payment-rules';

const PERCENT = /^\d*[.,]?\d*$/;

/** A percentage as a person types it: "0,5", "0.5" and "0,5 %" are the same; no number becomes NaN, which the contract refuses. */
function readPercent(text: string): number {
  const typed = text.replace(/[\s%]/g, '');
  return /\d/.test(typed) && PERCENT.test(typed) ? Number(typed.replace(',', '.')) : Number.NaN;
}

/** The form "Impostazioni": the tolerance is text there; the contract says what is right. */
export const PaymentRulesForm = z.object({
  tolerancePercent: z.string().transform(readPercent).pipe(PaymentRules.shape.tolerancePercent),
  latePolicy: PaymentRules.shape.latePolicy,
});
export type PaymentRulesValues = z.input<typeof PaymentRulesForm>;

/** Stored rules as the form shows them. */
export function paymentRulesValues({ tolerancePercent, latePolicy }: PaymentRules): PaymentRulesValues {
  return { tolerancePercent: String(tolerancePercent).replace('.', ','), latePolicy };
}
