import { MAX_AMOUNT_EUR_CENTS } from '@/lib/shared/money';
import { parseEuro } from '@/lib/shared/parse-euro';
import { toEuroText } from './to-euro-text';

/** One cent up or down from a typed amount, from 0 to the largest invoice; null when the text is no amount. */
export function stepEuro(text: string, direction: 1 | -1): string | null {
  const isEmpty = /^\s*0*([.,]0*)?\s*$/.test(text);
  const cents = isEmpty ? 0 : parseEuro(text).cents;
  if (cents === null) return null;
  return toEuroText(Math.min(MAX_AMOUNT_EUR_CENTS, Math.max(0, cents + direction)));
}
