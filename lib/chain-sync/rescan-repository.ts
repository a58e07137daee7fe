import type { Sql } from '@/lib/db/database';
import type { Rescan } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { KnownBlock } from './cursor';

/** Blocks to read again, and how far that came. */
export type RescanRow = Row<
  Rescan,
  'id' | 'epoch' | 'fromHeight' | 'toHeight' | 'nextHeight' | 'foundDeposits' | 'lastError' | 'finishedAt'
>;

const COLUMNS = `id, epoch, from_height AS "fromHeight", to_height AS "toHeight", next_height AS "nextHeight",
  found_deposits AS "foundDeposits", last_error AS "lastError", finished_at AS "finishedAt"`;

export interface RescanRequest {
  chain: Chain;
  fromHeight: bigint;
  /** Null for all that was read. */
  toHeight: bigint | null;
  operator: string;
}

const INSERT = statement<RescanRequest, RescanRow>(
  'chain-sync.insert-rescan',
  `INSERT INTO rescan (chain, epoch, from_height, to_height, next_height, operator)
   SELECT chain, epoch, $fromHeight::bigint, least($toHeight::bigint, height), $fromHeight::bigint, $operator
   FROM chain_cursor WHERE chain = $chain::chain AND height >= $fromHeight::bigint
     AND coalesce($toHeight::bigint >= $fromHeight::bigint, true)
   RETURNING ${COLUMNS}`,
);

/** Asks for blocks to be read again, up to the cursor's at most. @returns null when none of them was read yet */
export function insertRescan(sql: Sql, request: RescanRequest): Promise<RescanRow | null> {
  return INSERT.first(sql, request);
}

const FIND = statement<{ id: bigint }, RescanRow>(
  'chain-sync.find-rescan',
  `SELECT ${COLUMNS} FROM rescan WHERE id = $id`,
);

/** A rescan by its number. @throws Error when there is none */
export function findRescan(sql: Sql, id: bigint): Promise<RescanRow> {
  return FIND.one(sql, { id });
}

const NEXT = statement<{ chain: Chain }, RescanRow>(
  'chain-sync.next-rescan',
  `SELECT ${COLUMNS} FROM rescan r WHERE chain = $chain::chain AND finished_at IS NULL
     AND epoch = (SELECT epoch FROM chain_cursor c WHERE c.chain = r.chain)
   ORDER BY last_error IS NOT NULL, id LIMIT 1`,
);

/** The oldest rescan of a chain that is not finished, or null; one that the node has no answer for holds up no other. */
export function selectNextRescan(sql: Sql, chain: Chain): Promise<RescanRow | null> {
  return NEXT.first(sql, { chain });
}

const NOTE_STEP = statement<{ id: bigint; nextHeight: bigint; found: number }>(
  'chain-sync.note-rescan-step',
  `UPDATE rescan SET next_height = $nextHeight::bigint, found_deposits = found_deposits + $found, last_error = NULL,
     finished_at = CASE WHEN $nextHeight::bigint > to_height THEN now() END
   WHERE id = $id`,
);

/** Notes in the transaction of a step how far a rescan came and what it found. */
export async function noteRescanStep(sql: Sql, id: bigint, nextHeight: bigint, found: number): Promise<void> {
  await NOTE_STEP.count(sql, { id, nextHeight, found });
}

const NOTE_FAULT = statement<{ id: bigint; fault: string }>(
  'chain-sync.note-rescan-fault',
  'UPDATE rescan SET last_error = $fault WHERE id = $id',
);

/** Notes why a step could not be made; it is tried again. */
export async function noteRescanFault(sql: Sql, id: bigint, fault: string): Promise<void> {
  await NOTE_FAULT.count(sql, { id, fault });
}

const FOREIGN = statement<{ chain: Chain; heights: bigint[]; hashes: string[] }, Pick<KnownBlock, 'height'>>(
  'chain-sync.foreign-blocks',
  `SELECT b.height FROM unnest($heights::bigint[], $hashes::text[]) AS given (height, hash)
     JOIN chain_block b ON b.chain = $chain::chain AND b.height = given.height
   WHERE b.hash <> given.hash LIMIT 1`,
);

/** Of some blocks one that is not as it was read; null when all that are still known are. */
export function selectForeignBlock(
  sql: Sql,
  chain: Chain,
  blocks: readonly Pick<KnownBlock, 'height' | 'hash'>[],
): Promise<Pick<KnownBlock, 'height'> | null> {
  const [heights, hashes] = [blocks.map(({ height }) => height), blocks.map(({ hash }) => hash)];
  return FOREIGN.first(sql, { chain, heights, hashes });
}
