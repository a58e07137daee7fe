import type { BlockRef, ChainHead } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { finalizedWithin } from '@/lib/deposits/finalized-within';
import { type Cursor, type Lease, LeaseLostError, PAUSE_REASONS, type PauseReason } from '@/lib/deposits/types';
import type { AddressFamily, Coin } from '@/lib/shared/coins';
import { WATCHER_STALE_SECONDS } from '@/lib/shared/limits';

const CURSOR_COLUMNS = `coin, genesis_hash, epoch, height, hash, block_time, head_height, finalized_height,
  loaded_generation, paused_reason, confirmations`;

/** A block that was read before. */
export type KnownBlock = Pick<BlockRef, 'height' | 'hash' | 'time'>;

interface CursorRow {
  coin: Coin;
  genesis_hash: string | null;
  epoch: number;
  height: string | null;
  hash: string | null;
  block_time: Date | null;
  head_height: string | null;
  finalized_height: string | null;
  loaded_generation: string;
  paused_reason: string | null;
  confirmations: number;
}

function toBigint(text: string | null): bigint | null {
  return text === null ? null : BigInt(text);
}

function toCursor(row: CursorRow): Cursor {
  return {
    coin: row.coin,
    genesisHash: row.genesis_hash,
    epoch: row.epoch,
    height: toBigint(row.height),
    hash: row.hash,
    blockTime: row.block_time,
    headHeight: toBigint(row.head_height),
    finalizedHeight: toBigint(row.finalized_height),
    loadedGeneration: BigInt(row.loaded_generation),
    pausedReason: row.paused_reason,
    confirmations: row.confirmations,
  };
}

function required<T>(row: T | undefined, lease: Lease): T {
  if (!row) throw new LeaseLostError(lease);
  return row;
}

/** The coin's row exists from now on; an existing one stays as it is. */
export async function insertCursor(sql: Sql, coin: Coin): Promise<void> {
  await sql.query('INSERT INTO chain_cursor (coin) VALUES ($1) ON CONFLICT DO NOTHING', [coin]);
}

/** Takes a free or expired lease. The database's clock decides, because watchers run on several machines. */
export async function takeFreeLease(
  sql: Sql,
  options: { coin: Coin; owner: string; ttlMs: number; confirmations: number },
): Promise<bigint | null> {
  const { rows } = await sql.query<{ lease_token: string }>(
    `UPDATE chain_cursor
        SET lease_token = lease_token + 1, lease_owner = $2, confirmations = $4,
            lease_expires_at = now() + $3 * interval '1 millisecond'
      WHERE coin = $1 AND (lease_expires_at IS NULL OR lease_expires_at <= now())
      RETURNING lease_token`,
    [options.coin, options.owner, options.ttlMs, options.confirmations],
  );
  return toBigint(rows[0]?.lease_token ?? null);
}

/** Extends (or with 0 ends) a lease. @returns false when it is no longer the newest */
export async function extendLease(sql: Sql, lease: Lease, ttlMs: number): Promise<boolean> {
  const { rowCount } = await sql.query(
    `UPDATE chain_cursor SET lease_expires_at = now() + $3 * interval '1 millisecond'
      WHERE coin = $1 AND lease_token = $2`,
    [lease.coin, lease.token, ttlMs],
  );
  return rowCount === 1;
}

/** Notes a successful look at the node. */
export async function updateHead(
  sql: Sql,
  lease: Lease,
  head: ChainHead,
  family: AddressFamily,
): Promise<Cursor & { poolGeneration: bigint }> {
  const { rows } = await sql.query<CursorRow & { pool_generation: string }>(
    `WITH outage AS (
       INSERT INTO watcher_outage (coin, started_at, ended_at)
       SELECT coin, updated_at, now() FROM chain_cursor
        WHERE coin = $1 AND lease_token = $2 AND height IS NOT NULL
          AND updated_at < now() - interval '${WATCHER_STALE_SECONDS} s'
     )
     UPDATE chain_cursor
        SET head_height = $3, updated_at = now()
      WHERE coin = $1 AND lease_token = $2
      RETURNING ${CURSOR_COLUMNS},
        COALESCE((SELECT generation FROM pool_generation WHERE family = $4), 0) AS pool_generation`,
    [lease.coin, lease.token, head.height, family],
  );
  const row = required(rows[0], lease);
  return { ...toCursor(row), poolGeneration: BigInt(row.pool_generation) };
}

/** The cursor, locked until the transaction ends, so that no newer lease can begin in between. */
export async function lockCursor(sql: Sql, lease: Lease): Promise<Cursor> {
  const { rows } = await sql.query<CursorRow>(
    `SELECT ${CURSOR_COLUMNS} FROM chain_cursor WHERE coin = $1 AND lease_token = $2 FOR UPDATE`,
    [lease.coin, lease.token],
  );
  return toCursor(required(rows[0], lease));
}

/** Puts the cursor on a block of a chain: at the first start, and when a devnet was replaced. */
export async function placeCursor(
  sql: Sql,
  lease: Lease,
  chain: { genesisHash: string; epoch: number; block: BlockRef; ancestors: BlockRef[]; head: ChainHead },
): Promise<void> {
  const { genesisHash, epoch, block, head } = chain;
  const blocks = [...chain.ancestors, block];
  await sql.query(
    `UPDATE chain_cursor
        SET genesis_hash = $3, epoch = $4, height = $5, hash = $6, block_time = $7, head_height = $8,
            finalized_height = $9, paused_reason = NULL, updated_at = now()
      WHERE coin = $1 AND lease_token = $2`,
    [
      lease.coin,
      lease.token,
      genesisHash,
      epoch,
      block.height,
      block.hash,
      block.time,
      head.height,
      finalizedWithin(head, block.height),
    ],
  );
  await sql.query('DELETE FROM chain_block WHERE coin = $1', [lease.coin]);
  await sql.query(
    `INSERT INTO chain_block (coin, height, hash, parent_hash, time)
     SELECT $1::coin, b.* FROM unnest($2::bigint[], $3::text[], $4::text[], $5::timestamptz[]) AS b`,
    [
      lease.coin,
      blocks.map(({ height }) => height),
      blocks.map(({ hash }) => hash),
      blocks.map(({ parentHash }) => parentHash),
      blocks.map(({ time }) => time),
    ],
  );
}

/** Moves the cursor back to a block that was read before, and forgets the blocks above it. */
export async function moveCursorBack(sql: Sql, lease: Lease, block: KnownBlock): Promise<void> {
  await sql.query(
    `UPDATE chain_cursor SET height = $3, hash = $4, block_time = $5
      WHERE coin = $1 AND lease_token = $2`,
    [lease.coin, lease.token, block.height, block.hash, block.time],
  );
  await sql.query('DELETE FROM chain_block WHERE coin = $1 AND height > $2', [lease.coin, block.height]);
}

/** Blocks that were read, lowest first. */
export async function listBlocks(sql: Sql, coin: Coin): Promise<KnownBlock[]> {
  const { rows } = await sql.query<{ height: string; hash: string; time: Date }>(
    'SELECT height, hash, time FROM chain_block WHERE coin = $1 ORDER BY height',
    [coin],
  );
  return rows.map((row) => ({ height: BigInt(row.height), hash: row.hash, time: row.time }));
}

/** Sets the watcher's pause or clears it; a pause that an operator set stays. @throws LeaseLostError */
export async function setPausedReason(sql: Sql, lease: Lease, reason: PauseReason | null): Promise<void> {
  const { rows } = await sql.query(
    `UPDATE chain_cursor
        SET paused_reason = CASE WHEN paused_reason IS NULL OR paused_reason = ANY($4::text[]) THEN $3 ELSE paused_reason END
      WHERE coin = $1 AND lease_token = $2 RETURNING 1`,
    [lease.coin, lease.token, reason, PAUSE_REASONS],
  );
  required(rows[0], lease);
}

/** Notes that addresses up to a generation are watched: from now on they may be assigned. @throws LeaseLostError */
export async function setLoadedGeneration(sql: Sql, lease: Lease, generation: bigint): Promise<void> {
  const { rows } = await sql.query(
    'UPDATE chain_cursor SET loaded_generation = $3 WHERE coin = $1 AND lease_token = $2 RETURNING 1',
    [lease.coin, lease.token, generation],
  );
  required(rows[0], lease);
}

/** The family's committed generation: every row of it and of those before it can be read (its row lock orders them). */
export async function readPoolGeneration(sql: Sql, family: AddressFamily): Promise<bigint> {
  const { rows } = await sql.query<{ generation: string }>('SELECT generation FROM pool_generation WHERE family = $1', [
    family,
  ]);
  return BigInt(rows[0]?.generation ?? 0);
}

/** A page of the family's addresses of the generations above `generation`, by id. */
export async function listPoolAddresses(
  sql: Sql,
  page: { family: AddressFamily; generation: bigint; afterId: string; limit: number },
): Promise<{ id: string; address: string }[]> {
  const { rows } = await sql.query<{ id: string; address: string }>(
    `SELECT id, address FROM pool_address
      WHERE family = $1 AND generation > $2 AND id > $3 ORDER BY id LIMIT $4`,
    [page.family, page.generation, page.afterId, page.limit],
  );
  return rows;
}
