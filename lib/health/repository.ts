import type { Sql } from '@/lib/db/database';
import type { AddressFamily, Coin } from '@/lib/shared/coins';

export interface CoinFacts {
  height: string | null;
  headHeight: string | null;
  blockTime: Date | null;
  updatedAt: Date | null;
  pausedReason: string | null;
  rateAt: Date | null;
  /** Invoice addresses that can be claimed: free and watched. Counted up to 1,000. */
  freeAddresses: number;
}

/** All that decides whether a coin can be paid, in one round trip. */
export async function selectCoinFacts(sql: Sql, coin: Coin, family: AddressFamily): Promise<CoinFacts> {
  const { rows } = await sql.query<CoinFacts>(
    `SELECT c.height, c.head_height AS "headHeight", c.block_time AS "blockTime", c.updated_at AS "updatedAt",
       c.paused_reason AS "pausedReason", (SELECT fetched_at FROM coin_rate WHERE coin = $1::coin) AS "rateAt",
       (SELECT count(*)::int FROM (
          SELECT 1 FROM pool_address p WHERE p.family = $2::address_family AND p.purpose = 'invoice'
            AND p.claimed_at IS NULL AND p.generation <= c.loaded_generation LIMIT 1000) free) AS "freeAddresses"
     FROM (SELECT 1) one LEFT JOIN chain_cursor c ON c.coin = $1::coin`,
    [coin, family],
  );
  const [row] = rows;
  if (!row) throw new Error('The health query returned no row.');
  return row;
}
