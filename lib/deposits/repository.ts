import type { Sql } from '@/lib/db/database';
import type { ChainCursor, Deposit } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { ReadChain } from './confirmations';
import type { FoundTransfer } from './deposit';

/** Transfers side by side, as arrays that Postgres unnests; `spends` are JSON texts because arrays of arrays must be even. */
export const FOUND = `found AS (
    SELECT f.key, f.tx_hash, f.coin::coin, f.kind::transfer_kind, f.pool_address_id, f.from_address, f.amount_units, f.extra,
      ARRAY(SELECT jsonb_array_elements_text(f.spends::jsonb)) AS spends, f.height, f.hash, f.time, f.position
    FROM unnest($keys::text[], $txHashes::text[], $coins::text[], $kinds::text[], $poolAddressIds::bigint[],
      $fromAddresses::text[], $amounts::numeric[], $extras::int[], $spends::text[], $heights::bigint[], $hashes::text[],
      $times::timestamptz[])
      WITH ORDINALITY AS f (key, tx_hash, coin, kind, pool_address_id, from_address, amount_units, extra, spends, height, hash,
        time, position)
  )`;

/**
 * Stores the transfers of the CTE `source`, in their order. What becomes of one that is there already (`d`) is for the
 * caller to add; where it is `IS_SAME` it is the same money.
 */
export const insertFrom = (
  source: string,
) => `INSERT INTO deposit AS d (chain, epoch, transfer_key, coin, kind, tx_hash,
      pool_address_id, wallet_id, from_address, amount_units, spends, extra_confirmations, block_height, block_hash, block_time,
      seen_at)
    SELECT $chain::chain, $epoch, f.key, f.coin, f.kind, f.tx_hash, f.pool_address_id, w.id, f.from_address, f.amount_units,
      f.spends, f.extra, f.height, f.hash, f.time, $seenAt
    FROM ${source} f LEFT JOIN wallet w ON w.pool_address_id = f.pool_address_id AND w.coin = f.coin
    ORDER BY f.position
    ON CONFLICT (chain, epoch, transfer_key) DO UPDATE`;

export const IS_SAME = `(d.pool_address_id = excluded.pool_address_id AND d.amount_units = excluded.amount_units
        AND d.coin = excluded.coin)`;

export interface Place {
  chain: Chain;
  epoch: number;
  seenAt: Date;
}

export type FoundParams = ReturnType<typeof asArrays>;

/** Transfers as `FOUND` takes them. */
export function asArrays(found: readonly FoundTransfer[]) {
  return {
    keys: found.map(({ transfer }) => transfer.key),
    txHashes: found.map(({ transfer }) => transfer.txHash),
    coins: found.map(({ transfer }) => transfer.coin),
    kinds: found.map(({ transfer }) => transfer.kind),
    poolAddressIds: found.map(({ poolAddressId }) => poolAddressId),
    fromAddresses: found.map(({ transfer }) => transfer.from),
    amounts: found.map(({ transfer }) => transfer.amountUnits),
    extras: found.map(({ extraConfirmations }) => extraConfirmations),
    spends: found.map(({ transfer }) => JSON.stringify(transfer.spends)),
    heights: found.map(({ block }) => block?.height ?? null),
    hashes: found.map(({ block }) => block?.hash ?? null),
    times: found.map(({ block }) => block?.time ?? null),
  };
}

export interface StoredTransfers {
  /** How many rows hold what was found; fewer than found when one was mined before with another amount, coin or address. */
  stored: number;
  /** How many wallets were queued for settlement. */
  queued: number;
  /** Deposits for addresses that belong to no wallet of their coin. */
  walletless: bigint[] | null;
}

/**
 * Mined transfers in one statement. What was only seen waiting becomes what its block says. `due` are the wallets whose facts changed: those of what was found, of what it replaced
 * in the mempool, and of earlier deposits that come to count with these blocks.
 */
const STORE = statement<
  Place &
    FoundParams & { allSpends: string[]; before: bigint; after: bigint; fromHeight: bigint | null; toHeight: bigint },
  StoredTransfers
>(
  'deposits.store-transfers',
  `WITH ${FOUND}, replaced AS (
    UPDATE deposit SET orphaned_at = $seenAt
    WHERE chain = $chain::chain AND epoch = $epoch AND block_height IS NULL AND orphaned_at IS NULL
      AND spends && $allSpends::text[] AND NOT transfer_key = ANY($keys::text[])
    RETURNING wallet_id
  ), sighted AS (
    SELECT d.wallet_id FROM found f
      JOIN deposit d ON d.chain = $chain::chain AND d.epoch = $epoch AND d.transfer_key = f.key
    WHERE d.block_height IS NULL
  ), stored AS (
    ${insertFrom('found')}
      SET block_height = excluded.block_height, block_hash = excluded.block_hash, block_time = excluded.block_time,
          kind = excluded.kind, extra_confirmations = excluded.extra_confirmations, spends = excluded.spends,
          amount_units = excluded.amount_units, coin = excluded.coin, pool_address_id = excluded.pool_address_id,
          wallet_id = CASE WHEN ${IS_SAME} THEN d.wallet_id ELSE excluded.wallet_id END, orphaned_at = NULL
      WHERE ${IS_SAME} OR (d.block_height IS NULL AND d.posted_at IS NULL)
    RETURNING d.id, d.wallet_id
  ), due AS (
    SELECT wallet_id FROM stored UNION SELECT wallet_id FROM sighted UNION SELECT wallet_id FROM replaced
    UNION SELECT wallet_id FROM deposit
    WHERE chain = $chain::chain AND epoch = $epoch AND orphaned_at IS NULL
      AND block_height > $before::bigint AND block_height <= $after::bigint
    UNION SELECT wallet_id FROM deposit
    WHERE chain = $chain::chain AND epoch = $epoch AND orphaned_at IS NULL AND extra_confirmations > 0 AND posted_at IS NULL
      AND block_height > $fromHeight::bigint - extra_confirmations + 1
      AND block_height <= $toHeight::bigint - extra_confirmations + 1
  ), queued AS (
    INSERT INTO settlement_task (wallet_id, chain) SELECT wallet_id, $chain::chain FROM due WHERE wallet_id IS NOT NULL
    RETURNING 1
  )
  SELECT (SELECT count(*)::int FROM stored) AS stored, (SELECT count(*)::int FROM queued) AS queued,
    (SELECT array_agg(id) FROM stored WHERE wallet_id IS NULL) AS walletless`,
  { prepared: true },
);

/**
 * Stores what some blocks held and queues the wallets that it concerns.
 * @param read how far the chain was read before and is with these blocks
 */
export function storeTransfers(
  sql: Sql,
  place: Place,
  found: readonly FoundTransfer[],
  read: { before: ReadChain; after: { height: bigint; confirmedHeight: bigint | null } },
): Promise<StoredTransfers> {
  return STORE.one(sql, {
    ...place,
    ...asArrays(found),
    allSpends: found.flatMap(({ transfer }) => transfer.spends),
    before: read.before.confirmedHeight ?? -1n,
    after: read.after.confirmedHeight ?? -1n,
    fromHeight: read.before.height,
    toHeight: read.after.height,
  });
}

const ORPHAN = statement<Place & { aboveHeight: bigint }, { orphaned: number }>(
  'deposits.orphan',
  `WITH orphaned AS (
     UPDATE deposit SET orphaned_at = $seenAt
      WHERE chain = $chain::chain AND epoch = $epoch AND block_height > $aboveHeight AND orphaned_at IS NULL
      RETURNING wallet_id
   ), queued AS (
     INSERT INTO settlement_task (wallet_id, chain)
     SELECT DISTINCT wallet_id, $chain::chain FROM orphaned WHERE wallet_id IS NOT NULL
   )
   SELECT count(*)::int AS orphaned FROM orphaned`,
);

/** Marks the deposits above a height as out of the chain and queues their wallets. @returns how many deposits */
export async function orphanDeposits(sql: Sql, place: Place, aboveHeight: bigint): Promise<number> {
  return (await ORPHAN.one(sql, { ...place, aboveHeight })).orphaned;
}

/** A deposit with the cursor against which it is confirmed. */
type DepositRow = Row<
  Deposit,
  | 'id'
  | 'coin'
  | 'txHash'
  | 'fromAddress'
  | 'amountUnits'
  | 'blockHeight'
  | 'blockTime'
  | 'seenAt'
  | 'orphanedAt'
  | 'extraConfirmations'
> & { walletId: number } & Pick<Row<ChainCursor, 'height' | 'confirmedHeight'>, 'height' | 'confirmedHeight'>;

const OF_WALLETS = statement<{ walletIds: readonly number[]; most: number }, DepositRow>(
  'deposits.of-wallets',
  `SELECT d.id, d.coin, d.wallet_id AS "walletId", d.tx_hash AS "txHash", d.from_address AS "fromAddress",
     d.amount_units AS "amountUnits", d.block_height AS "blockHeight", d.block_time AS "blockTime", d.seen_at AS "seenAt",
     d.orphaned_at AS "orphanedAt", d.extra_confirmations AS "extraConfirmations", d.height,
     d.confirmed_height AS "confirmedHeight"
   FROM unnest($walletIds::int[]) AS wallet (id) CROSS JOIN LATERAL (
     SELECT f.*, c.height, c.confirmed_height FROM deposit f JOIN chain_cursor c ON c.chain = f.chain AND c.epoch = f.epoch
     WHERE f.wallet_id = wallet.id ORDER BY f.orphaned_at IS NOT NULL, f.amount_units DESC, f.id LIMIT $most
   ) d ORDER BY d.id`,
);

/**
 * Deposits of wallets on their chain's present epoch, oldest first; of a wallet with more than `most` the largest that are
 * on the chain, because strangers can send dust without end.
 */
export function listDeposits(sql: Sql, walletIds: readonly number[], most: number): Promise<DepositRow[]> {
  return OF_WALLETS.all(sql, { walletIds, most });
}
