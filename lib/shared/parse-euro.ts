import { MAX_AMOUNT_EUR_CENTS, parseUnits } from './money';

export type ParsedEuro =
  | { cents: number; problem: null }
  | { cents: null; problem: 'ambiguous'; digits: string }
  | { cents: null; problem: 'invalid' };

const INVALID: ParsedEuro = { cents: null, problem: 'invalid' };

/** Digits in groups of three after the first group: "1.248", "12.345.678". */
const GROUPED = /^[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*$/;

/**
 * Reads an amount in euros that a person typed: "1234,56", "1234.56" and "1.234,56" are the same sum.
 * A text that could mean two sums ("1.234") is never guessed.
 * @returns integer cents above 0 and at most 1,000,000 EUR, or why not; `digits` is the text without its separators.
 */
export function parseEuro(text: string): ParsedEuro {
  const typed = text.replace(/[\s€]/g, '');
  const separators = typed.match(/[.,]/g) ?? [];
  if (separators.length === 1 && GROUPED.test(typed)) {
    return { cents: null, problem: 'ambiguous', digits: typed.replace(/[.,]/, '') };
  }
  const plain = toPlainDecimal(typed, separators);
  const units = plain === null ? null : parseUnits(plain, 2);
  if (units === null || units < 1n || units > BigInt(MAX_AMOUNT_EUR_CENTS)) return INVALID;
  return { cents: Number(units), problem: null };
}

/** The typed text with a point before its decimals and no grouping, or null when its separators make no number. */
function toPlainDecimal(typed: string, separators: string[]): string | null {
  if (separators.length === 0) return withoutLeadingZeros(typed);
  const last = separators[separators.length - 1] ?? '';
  const isGroupedOnly = separators.length > 1 && separators.every((separator) => separator === last);
  if (isGroupedOnly) return GROUPED.test(typed) ? typed.split(last).join('') : null;
  const cut = typed.lastIndexOf(last);
  const [whole, decimals] = [typed.slice(0, cut), typed.slice(cut + 1)];
  if (/[.,]/.test(whole)) {
    if (whole.includes(last) || !GROUPED.test(whole)) return null;
    return `${whole.replace(/[.,]/g, '')}.${decimals}`;
  }
  return `${withoutLeadingZeros(whole)}.${decimals}`;
}

function withoutLeadingZeros(digits: string): string {
  return digits.replace(/^0+(?=\d)/, '') || '0';
}
