import { addressCodec } from '@/lib/chains/registry';
import { notify } from '@/lib/db/channels';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import {
  beginGeneration,
  insertAddresses,
  nextDerivationIndex,
  type PoolSource,
  selectPoolSources,
} from './pool-repository';

/** One generation holds its family's row for the time of this many derivations (0.3 to 0.7 ms each). */
const BATCH = 250;

/** Merchants are few, and one merchant's invoices too: primary wallets and a merchant's own key need a smaller pool. */
const SMALL_SHARE = 10;

/**
 * Derives addresses ahead of need, from public keys alone, until each pool holds its target again.
 * @param target free invoice addresses to keep; a tenth of it for primary wallets, and where the key is one merchant's own
 * @returns how many addresses were added; watchers must load them before they can be claimed
 */
export async function replenishPool(db: Database, target: number): Promise<number> {
  let added = 0;
  for (const source of await selectPoolSources.all(db.pool, {})) {
    const isForAll = source.purpose === 'invoice' && source.merchantId === null;
    const wanted = isForAll ? target : Math.ceil(target / SMALL_SHARE);
    for (let missing = wanted - Number(source.free); missing > 0; missing -= BATCH) {
      added += await addGeneration(db, source, Math.min(missing, BATCH));
    }
  }
  if (added > 0) await notify(db, [{ channel: 'pool' }]);
  return added;
}

async function addGeneration(db: Database, source: PoolSource, count: number): Promise<number> {
  const codec = addressCodec(source.family);
  return transaction(db, async (sql) => {
    const { id, family, purpose, merchantId, publicKey } = source;
    const { generation } = await beginGeneration.one(sql, { family });
    const { next: firstIndex } = await nextDerivationIndex.one(sql, { watchKeyId: id });
    const addresses = Array.from({ length: count }, (_, offset) => codec.derive(publicKey, firstIndex + offset));
    await insertAddresses.count(sql, { source: id, family, purpose, merchantId, generation, firstIndex, addresses });
    return count;
  });
}
