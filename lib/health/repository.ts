import type { AddressSource } from '@/lib/chains/registry';
import type { Sql } from '@/lib/db/database';
import type { ChainCursor, CoinRate } from '@/lib/db/generated/client';
import type { OuterRow } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';

export type CoinFacts = OuterRow<
  ChainCursor,
  'height' | 'headHeight' | 'headTime' | 'lookedAt' | 'unreadSince' | 'updatedAt' | 'pausedReason'
> & {
  rateAt: OuterRow<CoinRate, 'fetchedAt'>['fetchedAt'];
  /** Every venue contradicts the rate. */
  isRateInDoubt: boolean;
  /** Invoice addresses that can be claimed: free and watched. Counted up to 1,000. */
  freeAddresses: number;
};

const SELECT = statement<Omit<AddressSource, 'hasOwnKey'> & { coin: Coin }, CoinFacts>(
  'health.coin-facts',
  `SELECT c.height, c.head_height AS "headHeight", c.head_time AS "headTime", c.looked_at AS "lookedAt",
     c.unread_since AS "unreadSince", c.updated_at AS "updatedAt",
     c.paused_reason AS "pausedReason", (SELECT fetched_at FROM coin_rate WHERE coin = $coin::coin) AS "rateAt",
     EXISTS (SELECT 1 FROM coin_rate WHERE coin = $coin::coin AND doubted_at IS NOT NULL) AS "isRateInDoubt",
     (SELECT count(*)::int FROM (
        SELECT 1 FROM pool_address p WHERE p.family = $family::address_family AND p.purpose = 'invoice'
          AND p.claimed_at IS NULL AND p.generation <= c.loaded_generation
          AND NOT (SELECT is_restore_pending()) LIMIT 1000) free) AS "freeAddresses"
   FROM (SELECT 1) one LEFT JOIN chain_cursor c ON c.chain = $chain::chain`,
);

/** All that decides whether a coin can be paid, in one round trip. */
export function selectCoinFacts(sql: Sql, coin: Coin, { chain, family }: AddressSource): Promise<CoinFacts> {
  return SELECT.one(sql, { coin, chain, family });
}
