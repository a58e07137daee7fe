import type { Database } from '@/lib/db/database';
import { COIN_INFO, type Coin } from '@/lib/shared/coins';

import { listPoolAddresses, readPoolGeneration } from './repository';

const PAGE_SIZE = 10_000;

/**
 * Adds the pool addresses of every generation above `generation` to the watched ones: all of a coin's family, assigned or not.
 * The generation is read before the rows, so that none of it can be missing; rows of a newer one may come along.
 * @param watched canonical address → id of its pool row
 * @returns the generation that is now wholly in memory. Record it only while blocks are read no further than before this load.
 */
export async function loadAddresses(
  db: Database,
  watched: Map<string, string>,
  { coin, generation }: { coin: Coin; generation: bigint },
): Promise<bigint> {
  const family = COIN_INFO[coin].family;
  const committed = await readPoolGeneration(db.pool, family);
  if (committed <= generation) return generation;
  for (let afterId = '0', isMore = true; isMore; ) {
    const page = await listPoolAddresses(db.pool, { family, generation, afterId, limit: PAGE_SIZE });
    for (const { id, address } of page) watched.set(address, id);
    afterId = page.at(-1)?.id ?? afterId;
    isMore = page.length === PAGE_SIZE;
  }
  return committed;
}
