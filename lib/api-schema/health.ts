import { z } from 'zod';
import { COINS } from '@/lib/shared/coins';
import { CoinSchema } from './common';

export const CoinHealth = z.object({
  coin: CoinSchema,
  /** Can an invoice in this coin be made and paid now? */
  payable: z.boolean(),
  /** Why not, machine codes: watcher_stale, node_lagging, blocks_unread, paused, rate_stale, rate_in_doubt, pool_dry; database_down, when nothing of it is known. */
  problems: z.array(z.string()).max(10),
  height: z.string().nullable(),
  headHeight: z.string().nullable(),
  /** Since the last look at the node that brought an answer. */
  cursorAgeSeconds: z.number().nullable(),
  /** How long the oldest block that was not read waits; null when everything was. */
  oldestUnreadSeconds: z.number().nullable(),
  rateAgeSeconds: z.number().nullable(),
  freeAddresses: z.number(),
});
export type CoinHealth = z.infer<typeof CoinHealth>;

export const HealthView = z.object({
  status: z.enum(['ok', 'degraded', 'down']),
  coins: z.array(CoinHealth).max(COINS.length),
});
export type HealthView = z.infer<typeof HealthView>;
