import { z } from 'zod';

const nodeUrl = z.url({ protocol: /^https?$/, error: 'must be a URL' });

const integer = (min: number, max: number, fallback: number) =>
  z.coerce.number({ error: 'must be a number' }).int().min(min).max(max).default(fallback);

/**
 * Variables that every chain has: its nodes, how many of them must agree, and how it is read. Parsed a second time they stay
 * as they are.
 */
export function nodeVariables({ confirmations, pollMs }: { confirmations: number; pollMs: number }) {
  return {
    RPC_URL: z
      .preprocess(
        (given) => (typeof given === 'string' ? given.split(/[\s,]+/).filter(Boolean) : given),
        z.array(nodeUrl),
      )
      .optional()
      .describe('nodes over http or https, with commas between them; user:password@ for basic authentication'),
    QUORUM: integer(1, 10, 1).describe('how many of the nodes must say the same before it is believed'),
    CONFIRMATIONS: integer(1, 1000, confirmations).describe('blocks after which a payment counts'),
    POLL_MS: integer(100, 60_000, pollMs).describe('milliseconds between two looks at the head'),
    DEVNET: z
      .union([z.boolean(), z.enum(['0', '1'], { error: 'must be 0 or 1' })])
      .default(false)
      .transform((given) => given === true || given === '1')
      .describe(
        '1: a local chain, which starts anew when it was replaced instead of being paused; refused in production',
      ),
  };
}
