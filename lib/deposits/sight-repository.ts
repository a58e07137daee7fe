import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { FoundTransfer } from './deposit';
import { asArrays, FOUND, type FoundParams, IS_SAME, insertFrom, type Place } from './repository';

/** A node whose mempool still lists what was replaced is not further behind than this many blocks. */
const MOST_LAG_BLOCKS = 100;

/**
 * Waiting transfers in one statement. `waiting` leaves out what a mined transfer replaced (a node that lags still lists it),
 * and what is known already: a look that brings nothing new writes nothing.
 * `ended` are sights that wait no longer, and those that another transaction in the list replaces.
 */
const STORE_SIGHTS = statement<Place & FoundParams & { allSpends: string[]; isComplete: boolean }, { queued: number }>(
  'deposits.store-sights',
  `WITH ${FOUND}, waiting AS (
    SELECT * FROM found f WHERE NOT EXISTS (
      SELECT 1 FROM deposit m
      WHERE m.chain = $chain::chain AND m.epoch = $epoch AND m.orphaned_at IS NULL AND m.tx_hash <> f.tx_hash
        AND m.block_height > (SELECT height FROM chain_cursor WHERE chain = $chain::chain) - ${MOST_LAG_BLOCKS}
        AND m.spends && f.spends)
      AND NOT EXISTS (SELECT 1 FROM deposit k
        WHERE k.chain = $chain::chain AND k.epoch = $epoch AND k.transfer_key = f.key AND k.orphaned_at IS NULL)
  ), stored AS (
    ${insertFrom('waiting')}
      SET orphaned_at = NULL, block_height = NULL, block_hash = NULL, block_time = NULL
      WHERE d.orphaned_at IS NOT NULL AND ${IS_SAME}
    RETURNING d.wallet_id
  ), ended AS (
    UPDATE deposit SET orphaned_at = $seenAt
    WHERE chain = $chain::chain AND epoch = $epoch AND block_height IS NULL AND orphaned_at IS NULL
      AND NOT transfer_key = ANY($keys::text[])
      AND ($isComplete OR (spends && $allSpends::text[] AND NOT tx_hash = ANY($txHashes::text[])))
    RETURNING wallet_id
  ), queued AS (
    INSERT INTO settlement_task (wallet_id, chain)
    SELECT wallet_id, $chain::chain FROM (SELECT wallet_id FROM stored UNION SELECT wallet_id FROM ended) t
    WHERE wallet_id IS NOT NULL RETURNING 1
  )
  SELECT count(*)::int AS queued FROM queued`,
);

/**
 * Stores what waits in the mempool; a sight that is no longer there has ended.
 * @param isComplete false when something may have been mined meanwhile: then only what was replaced ends
 * @returns how many wallets were queued
 */
export async function storeSights(
  sql: Sql,
  place: Place,
  found: readonly FoundTransfer[],
  isComplete: boolean,
): Promise<number> {
  const allSpends = found.flatMap(({ transfer }) => transfer.spends);
  return (await STORE_SIGHTS.one(sql, { ...place, ...asArrays(found), allSpends, isComplete })).queued;
}
