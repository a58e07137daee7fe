import type { Sql } from '@/lib/db/database';
import type { AddressFamily } from '@/lib/shared/coins';

export interface PoolSource {
  id: number;
  family: AddressFamily;
  purpose: 'primary' | 'invoice';
  publicKey: string;
  /** Addresses that nobody has. */
  free: number;
}

/** The published keys and how many free addresses each has left. */
export async function selectPoolSources(sql: Sql): Promise<PoolSource[]> {
  const { rows } = await sql.query<PoolSource>(
    `SELECT k.id, k.family, k.purpose, k.public_key AS "publicKey",
       (SELECT count(*)::int FROM pool_address a
        WHERE a.family = k.family AND a.purpose = k.purpose AND a.claimed_at IS NULL) AS free
     FROM watch_key k ORDER BY k.id`,
  );
  return rows;
}

/**
 * Begins the next generation of a family. The row stays locked until the transaction ends, so that generation n is
 * committed before n + 1 can begin: a reader that has seen n has seen all before it.
 */
export async function beginGeneration(sql: Sql, family: AddressFamily): Promise<string> {
  const { rows } = await sql.query<{ generation: string }>(
    `INSERT INTO pool_generation (family, generation) VALUES ($1::address_family, 1)
     ON CONFLICT (family) DO UPDATE SET generation = pool_generation.generation + 1 RETURNING generation`,
    [family],
  );
  const [row] = rows;
  if (!row) throw new Error('The generation was not stored.');
  return row.generation;
}

/** First derivation index of a key that no address has yet. */
export async function nextDerivationIndex(sql: Sql, watchKeyId: number): Promise<number> {
  const { rows } = await sql.query<{ next: number }>(
    'SELECT coalesce(max(derivation_index) + 1, 0) AS next FROM pool_address WHERE watch_key_id = $1',
    [watchKeyId],
  );
  return rows[0]?.next ?? 0;
}

/** Stores the addresses of one generation, numbered from `firstIndex`. */
export async function insertAddresses(
  sql: Sql,
  source: PoolSource,
  generation: string,
  firstIndex: number,
  addresses: readonly string[],
): Promise<void> {
  await sql.query(
    `INSERT INTO pool_address (watch_key_id, family, purpose, derivation_index, address, generation)
     SELECT $1, $2::address_family, $3::address_purpose, $4 + n - 1, address, $5
     FROM unnest($6::text[]) WITH ORDINALITY AS derived (address, n)`,
    [source.id, source.family, source.purpose, firstIndex, generation, addresses],
  );
}
