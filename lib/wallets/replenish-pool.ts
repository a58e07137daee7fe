import { notify } from '@/lib/db/channels';
import type { Database } from '@/lib/db/database';
import { addGeneration, type FindUsed, GENERATION_SIZE } from './add-generation';
import { type PoolSource, selectPoolSources } from './pool-repository';

/** Merchants are few, and one merchant's invoices too: primary wallets and a merchant's own key need a smaller pool. */
const SMALL_SHARE = 10;

/**
 * Derives addresses ahead of need, from public keys alone, until each pool holds its target again.
 * @param target free invoice addresses to keep; a tenth of it for primary wallets, and where the key is one merchant's own
 * @param findUsed asked before an address can be claimed, once an instance was restored; null before that
 * @returns how many addresses were added; watchers must load them before they can be claimed
 * @throws ChainError when a node is asked and cannot answer
 */
export async function replenishPool(db: Database, target: number, findUsed: FindUsed | null = null): Promise<number> {
  let added = 0;
  for (const source of await selectPoolSources.all(db.pool, {})) {
    const isForAll = source.purpose === 'invoice' && source.merchantId === null;
    const wanted = isForAll ? target : Math.ceil(target / SMALL_SHARE);
    for (let missing = wanted - Number(source.free); missing > 0; missing -= GENERATION_SIZE) {
      const count = Math.min(missing, GENERATION_SIZE);
      const { free, isTaken } = await addGeneration(db, source, {
        count,
        burned: (addresses) => burnUsed(source, addresses, findUsed),
      });
      added += free;
      // Another dispatcher fills this pool.
      if (isTaken) break;
    }
  }
  if (added > 0) await notify(db, [{ channel: 'pool' }]);
  return added;
}

/** An address that was used is somebody's, whoever forgot it. */
async function burnUsed(
  { family, purpose }: PoolSource,
  addresses: readonly string[],
  findUsed: FindUsed | null,
): Promise<boolean[]> {
  const used = findUsed ? await findUsed(family, addresses) : new Set<string>();
  // Above the window of a restore there is none but by a node that says it of all: no pool may grow without end for its sake.
  if (addresses.every((address) => used.has(address)))
    throw new Error(`A node of the family ${family} calls every next ${purpose} address used: none is added.`);
  return addresses.map((address) => used.has(address));
}
