import type { Sql } from '@/lib/db/database';
import type { ChainBlock, ChainCursor } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { ChainFacts } from '@/lib/invoices/state';
import type { Chain } from '@/lib/shared/chains';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';

/** The moment that is compared. */
export interface Basis {
  coin: Coin;
  epoch: number;
  /**
   * The highest block that is final, where the node tells, and confirmed by the chain's rule: deposits up to it are booked,
   * but for those that need more confirmations themselves.
   */
  height: bigint;
  /** Its hash as it was read; null when it is so old that it was forgotten. */
  hash: string | null;
  chain: ChainFacts;
}

type BasisRow = Row<ChainCursor, 'epoch'> & {
  height: bigint;
  confirmedHeight: bigint;
  cursorHeight: bigint;
  time: Row<ChainCursor, 'chainTime'>['chainTime'];
  hash: Row<ChainBlock, 'hash'>['hash'] | null;
};

const SELECT = statement<{ chain: Chain }, BasisRow>(
  'reconciliation.basis',
  `SELECT c.epoch, c.height AS "cursorHeight", c.chain_time AS time, t.height,
     c.confirmed_height AS "confirmedHeight", b.hash
   FROM chain_cursor c
     CROSS JOIN LATERAL (SELECT least(c.confirmed_height, c.finalized_height) AS height) t
     LEFT JOIN chain_block b ON b.chain = c.chain AND b.height = t.height
   WHERE c.chain = $chain::chain AND c.height IS NOT NULL AND c.confirmed_height >= 0 AND t.height >= 0`,
);

/** @returns null while the coin's chain was not read far enough for anything to be confirmed */
export async function selectBasis(sql: Sql, coin: Coin): Promise<Basis | null> {
  const row = await SELECT.first(sql, { chain: COIN_INFO[coin].chain });
  if (!row) return null;
  const { epoch, time, hash, height, confirmedHeight, cursorHeight } = row;
  return { coin, epoch, height, hash, chain: { height: cursorHeight, confirmedHeight, time, epoch } };
}

/** A block as the node has it, of the chain that was read as `epoch`. */
type ReadBlock = Pick<Basis, 'coin' | 'epoch' | 'height'> & { hash: string };

const IS_READ = statement<{ chain: Chain } & Omit<ReadBlock, 'coin'>, { isRead: boolean }>(
  'reconciliation.is-block-read',
  `SELECT c.epoch = $epoch AND c.height >= $height::bigint AND coalesce(b.hash, $hash) = $hash AS "isRead"
   FROM chain_cursor c LEFT JOIN chain_block b ON b.chain = c.chain AND b.height = $height::bigint
   WHERE c.chain = $chain::chain`,
);

/** Is this the very block that was read at its height? One that is so old that it was forgotten is not doubted. */
export async function isBlockRead(sql: Sql, { coin, epoch, height, hash }: ReadBlock): Promise<boolean> {
  const { chain } = COIN_INFO[coin];
  return (await IS_READ.first(sql, { chain, epoch, height, hash }))?.isRead ?? false;
}
