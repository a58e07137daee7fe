import type { ConfirmationRule } from './types';

/** How far a chain was read, and what of it is final as far as it was read. */
interface ReadChain {
  height: bigint;
  finalizedHeight: bigint | null;
}

/**
 * The highest block whose ordinary deposits count.
 * @returns null while none does
 */
export function confirmedHeight(rule: ConfirmationRule, { height, finalizedHeight }: ReadChain): bigint | null {
  const confirmed = rule.kind === 'finality' ? finalizedHeight : height - BigInt(shownConfirmations(rule)) + 1n;
  return confirmed === null || confirmed < 0n ? null : confirmed;
}

/** Confirmations that people are told an ordinary deposit needs. */
export function shownConfirmations(rule: ConfirmationRule): number {
  if (rule.kind === 'count') return rule.blocks;
  return rule.kind === 'finality' ? rule.shown : (rule.steps[0]?.blocks ?? 1);
}

/**
 * Confirmations that one deposit needs beside what its chain asks of every one: for its amount, or because it cannot be
 * spent before.
 * @returns 0 when nothing more is asked
 */
export function extraConfirmations(
  rule: ConfirmationRule,
  { amountUnits, maturity }: { amountUnits: bigint; maturity: number },
): number {
  const steps = rule.kind === 'amount' ? rule.steps : [];
  const step = steps.findLast(({ fromUnits }) => amountUnits >= fromUnits);
  const forAmount = step && step.blocks > shownConfirmations(rule) ? step.blocks : 0;
  return Math.max(forAmount, maturity);
}
