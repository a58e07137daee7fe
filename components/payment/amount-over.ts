import { formatUnits, parseUnits, SHOWN_DECIMALS } from '@/lib/shared/money';

/** What came in beyond the amount due, as a decimal text with 8 decimals; null when nothing did. */
export function amountOver(received: string, due: string | null): string | null {
  const dueUnits = due === null ? null : parseUnits(due, SHOWN_DECIMALS);
  const receivedUnits = parseUnits(received, SHOWN_DECIMALS);
  if (dueUnits === null || receivedUnits === null || receivedUnits <= dueUnits) return null;
  return formatUnits(receivedUnits - dueUnits, SHOWN_DECIMALS);
}
