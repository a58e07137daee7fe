import { addressCodec } from '@/lib/chains/registry';
import type { Database } from '@/lib/db/database';
import { transaction } from '@/lib/db/transaction';
import type { AddressFamily } from '@/lib/shared/chains';
import { beginGeneration, insertAddresses, nextDerivationIndex, type PoolSource } from './pool-repository';

/** Addresses of one generation: 0.3 to 0.7 ms each to derive. */
export const GENERATION_SIZE = 250;

/** Asks the chains of a family which of some addresses were used. @throws ChainError when a node cannot answer */
export type FindUsed = (family: AddressFamily, addresses: readonly string[]) => Promise<ReadonlySet<string>>;

interface Batch {
  count: number;
  /** Which of the derived addresses nobody may have. */
  burned: (addresses: readonly string[]) => Promise<readonly boolean[]>;
}

/**
 * Derives the next addresses of a key and stores them as one generation. Derived and asked about before anything is locked:
 * the family's row is held for the insert alone.
 * @returns how many were stored that can be claimed, and whether another process took these indexes meanwhile (then none were)
 */
export async function addGeneration(
  db: Database,
  source: Omit<PoolSource, 'free'>,
  { count, burned }: Batch,
): Promise<{ free: number; isTaken: boolean }> {
  const { id, family, purpose, merchantId, publicKey } = source;
  const codec = addressCodec(family);
  const { next: firstIndex } = await nextDerivationIndex.one(db.pool, { watchKeyId: id });
  const addresses = Array.from({ length: count }, (_, offset) => codec.derive(publicKey, firstIndex + offset));
  const flags = await burned(addresses);
  return transaction(db, async (sql) => {
    const { generation } = await beginGeneration.one(sql, { family });
    const { next } = await nextDerivationIndex.one(sql, { watchKeyId: id });
    if (next !== firstIndex) return { free: 0, isTaken: true };
    const rows = { source: id, family, purpose, merchantId, generation, firstIndex, addresses, burned: flags };
    await insertAddresses.count(sql, rows);
    return { free: flags.filter((isBurned) => !isBurned).length, isTaken: false };
  });
}
