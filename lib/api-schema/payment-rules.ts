import { z } from 'zod';
import { parseUnits } from '@/lib/shared/money';

const TOLERANCE = 'La tolleranza va da 0 a 10 per cento, con al massimo 2 decimali.';
const MAX_BASIS_POINTS = 1000;

/** A percentage as a JSON number to hundredths of a percent, exactly; null when it is none from 0 to 10 with 2 decimals. */
export function percentToBasisPoints(percent: number): number | null {
  const points = parseUnits(String(percent), 2);
  return points === null || points > MAX_BASIS_POINTS ? null : Number(points);
}

/** How a merchant takes payments that do not fit to the letter. */
export const PaymentRules = z.object({
  /** How much less than the amount due still counts as paid, in percent. Holds for invoices made from now on. */
  tolerancePercent: z
    .number({ error: TOLERANCE })
    .refine((percent) => percentToBasisPoints(percent) !== null, TOLERANCE),
  /** review: late money waits for the merchant; accept: it counts. */
  latePolicy: z.enum(['review', 'accept'], { error: 'Scegli cosa fare dei pagamenti in ritardo.' }),
});
export type PaymentRules = z.infer<typeof PaymentRules>;
