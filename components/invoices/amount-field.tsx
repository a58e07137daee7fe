'use client';
import type { KeyboardEvent } from 'react';
import { Input } from '@/components/ui/input';
import { MAX_AMOUNT_EUR_CENTS } from '@/lib/shared/money';
import { parseEuro } from '@/lib/shared/parse-euro';

interface AmountFieldProps {
  value: string;
  onChange: (text: string) => void;
  error: string | undefined;
  ref: (element: HTMLInputElement | null) => void;
}

/**
 * An amount in euros as plain text, because a number field reads "1.234" as one sum without asking. Arrow keys step by a
 * cent, never below 0; what is typed is written out in full when the field is left.
 */
export function AmountField({ value, onChange, error, ref }: AmountFieldProps) {
  function normalise() {
    const { cents } = parseEuro(value);
    if (cents !== null) onChange(toEuroText(cents));
  }
  function step(event: KeyboardEvent) {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
    const next = stepEuro(value, event.key === 'ArrowUp' ? 1 : -1);
    if (next === null) return;
    event.preventDefault();
    onChange(next);
  }
  return (
    <Input
      ref={ref}
      label="Importo"
      name="amount"
      inputMode="decimal"
      step="0.01"
      min="0"
      autoComplete="off"
      suffix="€"
      placeholder="0,00"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onBlur={normalise}
      onKeyDown={step}
      error={error}
    />
  );
}

/** One cent up or down from a typed amount, from 0 to the largest invoice; null when the text is no amount. */
export function stepEuro(text: string, direction: 1 | -1): string | null {
  const isEmpty = /^\s*0*([.,]0*)?\s*$/.test(text);
  const cents = isEmpty ? 0 : parseEuro(text).cents;
  if (cents === null) return null;
  return toEuroText(Math.min(MAX_AMOUNT_EUR_CENTS, Math.max(0, cents + direction)));
}

/** Cents as a person types them: 124850 → "1248,50". */
function toEuroText(cents: number): string {
  return `${Math.trunc(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
}
