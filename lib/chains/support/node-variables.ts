import { z } from 'zod';
import { flagVariable, integerVariable } from '@/lib/shared/env-variable';

const nodeUrl = z.url({ protocol: /^https?$/, error: 'must be a URL' });

/** Variables that every chain has: its nodes, how many of them must agree, and how it is read. */
export function nodeVariables({ confirmations, pollMs }: { confirmations: number; pollMs: number }) {
  return {
    RPC_URL: z
      .string()
      .transform((text) => text.split(/[\s,]+/).filter(Boolean))
      .pipe(z.array(nodeUrl).min(1, 'must be a URL'))
      .optional()
      .describe('nodes over http or https, with commas between them; user:password@ for basic authentication'),
    QUORUM: integerVariable(1, 10).default(1).describe('how many of the nodes must say the same before it is believed'),
    CONFIRMATIONS: integerVariable(1, 1000).default(confirmations).describe('blocks after which a payment counts'),
    POLL_MS: integerVariable(100, 60_000).default(pollMs).describe('milliseconds between two looks at the head'),
    DEVNET: flagVariable.describe(
      '1: a local chain, which starts anew when it was replaced instead of being paused; refused in production',
    ),
  };
}

/** No more nodes must agree than there are: one that is named twice is one. */
export function hasQuorum({ RPC_URL, QUORUM }: { RPC_URL?: readonly string[] | undefined; QUORUM: number }): boolean {
  return RPC_URL === undefined || QUORUM <= new Set(RPC_URL).size;
}

/** What is said where `hasQuorum` does not hold. */
export const NO_QUORUM = { path: ['QUORUM'], error: 'must not be greater than the number of nodes' };
