import { z } from 'zod';

/** Coins that the devnet has a chain for. */
export const CHAINS = ['ETH'] as const;

const positiveDecimal = z
  .string()
  .regex(/^(?:0|[1-9]\d{0,17})(?:\.\d{1,18})?$/, 'must be a decimal number')
  .refine((text) => /[1-9]/.test(text), 'must be above 0');

/** Bodies and answers of `POST /control/*`: the devnet's own doors, open to the holder of the control token. */
export const controlContract = {
  fund: {
    body: z.object({
      coin: z.enum(CHAINS),
      address: z.string().min(1),
      /** Whole coins. */
      amount: positiveDecimal,
      /** A real transaction (a deposit, if the address is watched), or just a higher balance, at once. */
      by: z.enum(['transaction', 'balance']).default('transaction'),
    }),
    answer: z.object({ hash: z.string().nullable() }),
  },
  mine: {
    body: z.object({
      coin: z.enum(CHAINS),
      /** 4 ms a block on a young chain: a thousand is what one call may ask for. */
      blocks: z.int().min(1).max(1000),
      /** The caller's own pause; without it the blocks wait until nobody holds the chain. */
      pause: z.uuid().optional(),
    }),
    answer: z.object({ height: z.number() }),
  },
  /** Holds the chain still until `resume`, or for so many seconds. Waits while another pause lasts. */
  pause: {
    body: z.object({ coin: z.enum(CHAINS), seconds: z.int().min(1).max(120).default(60) }),
    answer: z.object({ pause: z.uuid() }),
  },
  resume: {
    body: z.object({ coin: z.enum(CHAINS), pause: z.uuid() }),
    answer: z.object({}),
  },
  'set-price': {
    body: z.object({ name: z.enum(['ETH', 'BNB', 'TON', 'TRX', 'LTC', 'EURUSDT']), price: positiveDecimal }),
    answer: z.object({}),
  },
} as const;

export type ControlName = keyof typeof controlContract;
