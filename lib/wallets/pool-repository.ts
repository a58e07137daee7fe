import type { PoolGeneration, WatchKey } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { AddressFamily } from '@/lib/shared/chains';

/** A published key, and how many addresses of its pool nobody has. */
export type PoolSource = Row<WatchKey, 'id' | 'family' | 'purpose' | 'publicKey' | 'merchantId'> & { free: bigint };

/** The published keys and how many free addresses each has left. */
export const selectPoolSources = statement<Record<never, never>, PoolSource>(
  'wallets.select-pool-sources',
  `SELECT k.id, k.family, k.purpose, k.public_key AS "publicKey", k.merchant_id AS "merchantId",
     (SELECT count(*) FROM pool_address a
      WHERE a.family = k.family AND a.purpose = k.purpose AND coalesce(a.merchant_id, 0) = coalesce(k.merchant_id, 0)
        AND a.claimed_at IS NULL) AS free
   FROM watch_key k ORDER BY k.id`,
  { prepared: true },
);

/**
 * Begins the next generation of a family. The row stays locked until the transaction ends, so that generation n is
 * committed before n + 1 can begin: a reader that has seen n has seen all before it.
 */
export const beginGeneration = statement<{ family: AddressFamily }, Row<PoolGeneration, 'generation'>>(
  'wallets.begin-generation',
  `INSERT INTO pool_generation (family, generation) VALUES ($family::address_family, 1)
   ON CONFLICT (family) DO UPDATE SET generation = pool_generation.generation + 1 RETURNING generation`,
);

/** First derivation index of a key that no address has yet. */
export const nextDerivationIndex = statement<{ watchKeyId: number }, { next: number }>(
  'wallets.next-derivation-index',
  'SELECT coalesce(max(derivation_index) + 1, 0) AS next FROM pool_address WHERE watch_key_id = $watchKeyId',
);

interface NewAddresses {
  source: PoolSource['id'];
  merchantId: PoolSource['merchantId'];
  family: AddressFamily;
  purpose: PoolSource['purpose'];
  generation: bigint;
  firstIndex: number;
  addresses: readonly string[];
  /** Which of them nobody may ever have, in their order. */
  burned: readonly boolean[];
}

/** Stores the addresses of one generation, numbered from `firstIndex`. A burned one counts as taken. */
export const insertAddresses = statement<NewAddresses>(
  'wallets.insert-addresses',
  `INSERT INTO pool_address (watch_key_id, family, purpose, merchant_id, derivation_index, address, generation, claimed_at, burned_at)
   SELECT $source, $family::address_family, $purpose::address_purpose, $merchantId, $firstIndex + n - 1, address, $generation,
     CASE WHEN is_burned THEN now() END, CASE WHEN is_burned THEN now() END
   FROM unnest($addresses::text[], $burned::boolean[]) WITH ORDINALITY AS derived (address, is_burned, n)`,
);
