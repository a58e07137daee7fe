import type { BlockRef } from '@/lib/chains/types';
import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { KnownBlock } from './cursor';

/** Blocks side by side, as arrays that Postgres unnests. */
export interface BlockArrays {
  heights: bigint[];
  hashes: string[];
  parentHashes: string[];
  times: Date[];
}

export const asArrays = (blocks: readonly BlockRef[]): BlockArrays => ({
  heights: blocks.map(({ height }) => height),
  hashes: blocks.map(({ hash }) => hash),
  parentHashes: blocks.map(({ parentHash }) => parentHash),
  times: blocks.map(({ chainTime }) => chainTime),
});

/** Keeps blocks; one of a height that was there is replaced. Takes BlockArrays and `$chain`. */
export const INSERT_BLOCKS = `INSERT INTO chain_block (chain, height, hash, parent_hash, chain_time)
   SELECT $chain::chain, b.* FROM unnest($heights::bigint[], $hashes::text[], $parentHashes::text[], $times::timestamptz[]) AS b
   ON CONFLICT (chain, height) DO UPDATE
     SET hash = excluded.hash, parent_hash = excluded.parent_hash, chain_time = excluded.chain_time`;

const KEEP_BLOCKS = statement<{ chain: Chain } & BlockArrays>('chain-sync.keep-blocks', INSERT_BLOCKS);

/** Keeps blocks to find where a reorg branched off. */
export async function keepBlocks(sql: Sql, chain: Chain, blocks: readonly BlockRef[]): Promise<void> {
  await KEEP_BLOCKS.count(sql, { chain, ...asArrays(blocks) });
}

const LIST_BLOCKS = statement<{ chain: Chain }, KnownBlock>(
  'chain-sync.list-blocks',
  'SELECT height, hash, chain_time AS "chainTime" FROM chain_block WHERE chain = $chain::chain ORDER BY height',
);

/** Blocks of a chain that were read and are kept to find where a reorg branched off, lowest first. */
export function listBlocks(sql: Sql, chain: Chain): Promise<KnownBlock[]> {
  return LIST_BLOCKS.all(sql, { chain });
}
