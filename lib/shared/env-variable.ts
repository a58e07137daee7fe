import { z } from 'zod';

/** An integer in an environment variable; the message for operators names the bounds. */
export function integerVariable(min: number, max: number) {
  return z.coerce.number({ error: 'must be a number' }).int().min(min).max(max);
}

/** A switch in an environment variable, off unless it is 1. */
export const flagVariable = z
  .enum(['0', '1'], { error: 'must be 0 or 1' })
  .default('0')
  .transform((text) => text === '1');
