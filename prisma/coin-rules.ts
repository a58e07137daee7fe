import type pg from 'pg';
import { addressSourceOf, CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import { CHAIN_INFO } from '@/lib/shared/chains';
import { COIN_INFO, coinsOf } from '@/lib/shared/coins';
import { leastToldUnits, smallestShownUnits } from '@/lib/shared/money';

/**
 * Tells the database's functions what they need to know of the coins: the product's own tables say it, and nothing else does.
 * Coins of chains that the product cannot read have no row, and cannot be sold.
 */
export async function writeCoinRules(client: Pick<pg.ClientBase, 'query'>): Promise<void> {
  for (const coin of CHAIN_DEFINITIONS.flatMap(({ chain }) => coinsOf(chain))) {
    const { chain, family, hasOwnKey } = addressSourceOf(coin);
    const { decimals, forceThresholdUnits } = COIN_INFO[coin];
    await client.query(
      `INSERT INTO coin_rule (coin, chain, family, has_own_key, decimals, shown_units, told_units,
         force_threshold_units, grace_seconds)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
       ON CONFLICT (coin) DO UPDATE SET chain = excluded.chain, family = excluded.family, has_own_key = excluded.has_own_key,
         decimals = excluded.decimals, shown_units = excluded.shown_units, told_units = excluded.told_units,
         force_threshold_units = excluded.force_threshold_units, grace_seconds = excluded.grace_seconds`,
      [
        ...[coin, chain, family, hasOwnKey, decimals, String(smallestShownUnits(coin)), String(leastToldUnits(coin))],
        String(forceThresholdUnits),
        CHAIN_INFO[chain].inclusionGraceSeconds,
      ],
    );
  }
}
