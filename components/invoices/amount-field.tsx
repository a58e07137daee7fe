'use client';
import type { KeyboardEvent } from 'react';
import { Input } from '@/components/ui/input';
import { parseEuro } from '@/lib/shared/parse-euro';
import { stepEuro } from './step-euro';
import { toEuroText } from './to-euro-text';

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
