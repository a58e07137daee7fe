import type { Sql } from '@/lib/db/database';
import type { ChainFacts } from '@/lib/invoices/state';
import type { Coin } from '@/lib/shared/coins';

/** The moment that is compared. */
export interface Basis {
  coin: Coin;
  epoch: number;
  /** The highest block that is final, where the node tells, and whose deposits all are confirmed and booked. */
  height: bigint;
  /** Its hash as it was read; null when it is so old that it was forgotten. */
  hash: string | null;
  /** Deposits up to here have their confirmations. */
  confirmedHeight: bigint;
  chain: ChainFacts;
}

interface Row {
  epoch: number;
  cursorHeight: string;
  time: Date;
  confirmations: number;
  height: string;
  confirmedHeight: string;
  hash: string | null;
}

/** @returns null while the coin's chain was not read far enough for anything to be confirmed */
export async function selectBasis(sql: Sql, coin: Coin): Promise<Basis | null> {
  const { rows } = await sql.query<Row>(
    `SELECT c.epoch, c.height AS "cursorHeight", c.block_time AS time, c.confirmations, t.height,
       t.confirmed AS "confirmedHeight", b.hash
     FROM chain_cursor c
       CROSS JOIN LATERAL (SELECT c.height - c.confirmations + 1 AS confirmed,
         least(c.height - c.confirmations + 1, c.finalized_height) AS height) t
       LEFT JOIN chain_block b ON b.coin = c.coin AND b.height = t.height
     WHERE c.coin = $1::coin AND c.height IS NOT NULL AND t.height >= 0`,
    [coin],
  );
  const [row] = rows;
  if (!row) return null;
  const { epoch, time, confirmations, hash } = row;
  return {
    coin,
    epoch,
    height: BigInt(row.height),
    hash,
    confirmedHeight: BigInt(row.confirmedHeight),
    chain: { height: BigInt(row.cursorHeight), time, epoch, confirmationsRequired: confirmations },
  };
}

/** Does what was read up to the basis's height still stand? */
export async function isBasisValid(sql: Sql, { coin, epoch, height, hash }: Basis): Promise<boolean> {
  const { rows } = await sql.query<{ stands: boolean }>(
    `SELECT c.epoch = $2 AND c.height >= $3::bigint AND ($4::text IS NULL OR coalesce(b.hash, $4) = $4) AS stands
     FROM chain_cursor c LEFT JOIN chain_block b ON b.coin = c.coin AND b.height = $3::bigint WHERE c.coin = $1::coin`,
    [coin, epoch, height, hash],
  );
  return rows[0]?.stands ?? false;
}
