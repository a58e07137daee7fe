import { addressCodec } from '@/lib/chains/registry';
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

/** Merchants are few: their primary wallets need a smaller pool. */
const PRIMARY_SHARE = 10;

/**
 * Derives addresses ahead of need, from public keys alone, until each pool holds its target again.
 * @param target free invoice addresses to keep; a tenth of it for primary wallets
 * @returns how many addresses were added; watchers must load them before they can be claimed
 */
export async function replenishPool(db: Database, target: number): Promise<number> {
  let added = 0;
  for (const source of await selectPoolSources(db.pool)) {
    const wanted = source.purpose === 'invoice' ? target : Math.ceil(target / PRIMARY_SHARE);
    for (let missing = wanted - source.free; missing > 0; missing -= BATCH) {
      added += await addGeneration(db, source, Math.min(missing, BATCH));
    }
  }
  if (added > 0) await db.pool.query("SELECT pg_notify('incassa_pool', '')").catch(() => undefined);
  return added;
}

async function addGeneration(db: Database, source: PoolSource, count: number): Promise<number> {
  const codec = addressCodec(source.family);
  return transaction(db, async (sql) => {
    const generation = await beginGeneration(sql, source.family);
    const first = await nextDerivationIndex(sql, source.id);
    const addresses = Array.from({ length: count }, (_, offset) => codec.derive(source.publicKey, first + offset));
    await insertAddresses(sql, source, generation, first, addresses);
    return count;
  });
}
