import type { BlockRef, ChainHead, ScannedBlock } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { finalizedWithin } from '@/lib/deposits/finalized-within';
import type { Coin } from '@/lib/shared/coins';
import type { Cursor, DepositFact, Lease } from './types';

/** Blocks kept to find where a reorg branched off. */
const KEPT_BLOCKS = 512;

/** A transfer to one of our addresses, in its block. */
export interface FoundDeposit {
  txHash: string;
  txIndex: number;
  poolAddressId: string;
  fromAddress: string | null;
  amountUnits: bigint;
  block: BlockRef;
}

/**
 * Transaction (1) in one statement: deposits, blocks, queue entries and cursor. `due` are the wallets whose facts changed:
 * those of the deposits found, and those whose earlier deposits reach the needed confirmations with these blocks.
 */
const STORE_BLOCKS = `
WITH found AS (
  SELECT * FROM unnest($9::text[], $10::int[], $11::bigint[], $12::text[], $13::numeric[], $14::bigint[], $15::text[],
    $16::timestamptz[]) AS f (tx_hash, tx_index, pool_address_id, from_address, amount_units, height, hash, time)
), stored AS (
  INSERT INTO deposit AS d (coin, epoch, tx_hash, tx_index, pool_address_id, wallet_id, from_address, amount_units,
    block_height, block_hash, block_time, seen_at)
  SELECT $1::coin, $3, f.tx_hash, f.tx_index, f.pool_address_id, w.id, f.from_address, f.amount_units,
    f.height, f.hash, f.time, $8
  FROM found f LEFT JOIN wallet w ON w.pool_address_id = f.pool_address_id AND w.coin = $1::coin
  ON CONFLICT (coin, epoch, tx_hash, tx_index) DO UPDATE
    SET block_height = excluded.block_height, block_hash = excluded.block_hash, block_time = excluded.block_time,
        orphaned_at = NULL
  RETURNING d.wallet_id
), kept AS (
  INSERT INTO chain_block (coin, height, hash, parent_hash, time)
  SELECT $1::coin, b.height, b.hash, b.parent_hash, b.time
  FROM unnest($17::bigint[], $18::text[], $19::text[], $20::timestamptz[]) AS b (height, hash, parent_hash, time)
  ON CONFLICT (coin, height) DO UPDATE
    SET hash = excluded.hash, parent_hash = excluded.parent_hash, time = excluded.time
), pruned AS (
  DELETE FROM chain_block WHERE coin = $1::coin AND height <= $5::bigint - ${KEPT_BLOCKS}
), due AS (
  SELECT wallet_id FROM stored WHERE wallet_id IS NOT NULL
  UNION
  SELECT wallet_id FROM deposit
  WHERE coin = $1::coin AND epoch = $3 AND wallet_id IS NOT NULL AND orphaned_at IS NULL
    AND block_height > $4::bigint - $21::int + 1 AND block_height <= $5::bigint - $21::int + 1
), queued AS (
  INSERT INTO settlement_task (wallet_id, coin) SELECT wallet_id, $1::coin FROM due RETURNING 1
)
UPDATE chain_cursor
   SET height = $5::bigint, hash = $6, block_time = $7, head_height = $22::bigint,
       finalized_height = GREATEST(finalized_height, $23::bigint), paused_reason = NULL, updated_at = now()
 WHERE coin = $1::coin AND lease_token = $2
 RETURNING (SELECT count(*)::int FROM queued) AS queued`;

/**
 * Stores what a run of blocks held and moves the cursor to the last of them, which ends a pause. The cursor row must be locked.
 * @returns how many wallets were queued for settlement
 */
export async function storeBlocks(
  sql: Sql,
  step: {
    lease: Lease;
    cursor: Cursor;
    blocks: ScannedBlock[];
    last: BlockRef;
    found: FoundDeposit[];
    head: ChainHead;
    seenAt: Date;
  },
): Promise<number> {
  const { lease, cursor, blocks, last, found, head } = step;
  const { rows } = await sql.query<{ queued: number }>(STORE_BLOCKS, [
    lease.coin,
    lease.token,
    cursor.epoch,
    cursor.height,
    last.height,
    last.hash,
    last.time,
    step.seenAt,
    found.map((deposit) => deposit.txHash),
    found.map((deposit) => deposit.txIndex),
    found.map((deposit) => deposit.poolAddressId),
    found.map((deposit) => deposit.fromAddress),
    found.map((deposit) => deposit.amountUnits),
    found.map((deposit) => deposit.block.height),
    found.map((deposit) => deposit.block.hash),
    found.map((deposit) => deposit.block.time),
    blocks.map((block) => block.height),
    blocks.map((block) => block.hash),
    blocks.map((block) => block.parentHash),
    blocks.map((block) => block.time),
    cursor.confirmations,
    head.height,
    finalizedWithin(head, last.height),
  ]);
  return rows[0]?.queued ?? 0;
}

/** Marks the deposits above a height as out of the chain and queues their wallets. @returns how many deposits */
export async function orphanDeposits(
  sql: Sql,
  orphaning: { coin: Coin; epoch: number; aboveHeight: bigint; orphanedAt: Date },
): Promise<number> {
  const { rows } = await sql.query<{ orphaned: number }>(
    `WITH orphaned AS (
       UPDATE deposit SET orphaned_at = $4
        WHERE coin = $1::coin AND epoch = $2 AND block_height > $3 AND orphaned_at IS NULL
        RETURNING wallet_id
     ), queued AS (
       INSERT INTO settlement_task (wallet_id, coin)
       SELECT DISTINCT wallet_id, $1::coin FROM orphaned WHERE wallet_id IS NOT NULL
     )
     SELECT count(*)::int AS orphaned FROM orphaned`,
    [orphaning.coin, orphaning.epoch, orphaning.aboveHeight, orphaning.orphanedAt],
  );
  return rows[0]?.orphaned ?? 0;
}

/** Queues the wallets that have deposits in the last blocks below the cursor. @returns how many wallets */
export async function queueRecentDeposits(sql: Sql, coin: Coin, blockCount: number): Promise<number> {
  const { rowCount } = await sql.query(
    `INSERT INTO settlement_task (wallet_id, coin)
     SELECT DISTINCT d.wallet_id, d.coin FROM deposit d JOIN chain_cursor c ON c.coin = d.coin AND c.epoch = d.epoch
      WHERE d.coin = $1 AND d.block_height > c.height - $2::int AND d.wallet_id IS NOT NULL`,
    [coin, blockCount],
  );
  return rowCount ?? 0;
}

/** Queues the wallet of every pending invoice of a coin. @returns how many */
export async function queuePendingInvoices(sql: Sql, coin: Coin): Promise<number> {
  const { rowCount } = await sql.query(
    `INSERT INTO settlement_task (wallet_id, coin)
     SELECT w.id, w.coin FROM wallet w JOIN invoice i ON i.wallet_id = w.id
      WHERE w.coin = $1 AND w.type = 'invoice' AND i.status = 'pending'`,
    [coin],
  );
  return rowCount ?? 0;
}

interface DepositRow {
  id: string;
  coin: Coin;
  wallet_id: number;
  tx_hash: string;
  tx_index: number;
  from_address: string | null;
  amount_units: string;
  block_height: string | null;
  block_time: Date | null;
  seen_at: Date;
  orphaned_at: Date | null;
  cursor_height: string | null;
  needed_confirmations: number;
}

/** A deposit row with the cursor against which it is confirmed. */
export type DepositWithCursor = Omit<DepositFact, 'confirmations' | 'isConfirmed'> & {
  cursorHeight: bigint | null;
  neededConfirmations: number;
};

/** Deposits of wallets on the coin's current chain, oldest first. */
export async function listDeposits(sql: Sql, walletIds: number[]): Promise<DepositWithCursor[]> {
  const { rows } = await sql.query<DepositRow>(
    `SELECT d.id, d.coin, d.wallet_id, d.tx_hash, d.tx_index, d.from_address, d.amount_units, d.block_height, d.block_time,
            d.seen_at, d.orphaned_at, c.height AS cursor_height, c.confirmations AS needed_confirmations
       FROM deposit d JOIN chain_cursor c ON c.coin = d.coin AND c.epoch = d.epoch
      WHERE d.wallet_id = ANY($1::int[]) ORDER BY d.id`,
    [walletIds],
  );
  return rows.map((row) => ({
    id: BigInt(row.id),
    coin: row.coin,
    walletId: row.wallet_id,
    txHash: row.tx_hash,
    txIndex: row.tx_index,
    fromAddress: row.from_address,
    amountUnits: BigInt(row.amount_units),
    blockHeight: row.block_height === null ? null : BigInt(row.block_height),
    blockTime: row.block_time,
    seenAt: row.seen_at,
    orphanedAt: row.orphaned_at,
    cursorHeight: row.cursor_height === null ? null : BigInt(row.cursor_height),
    neededConfirmations: row.needed_confirmations,
  }));
}
