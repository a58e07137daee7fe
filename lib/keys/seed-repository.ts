import type { Sql } from '@/lib/db/database';
import type { SealedSeed } from '@/lib/keys/vault';

/** The sealed seed of a network, or null before `npm run init`. */
export async function findSeed(sql: Sql, network: string): Promise<SealedSeed | null> {
  const { rows } = await sql.query<SealedSeed>(
    `SELECT seal_id AS "sealId", network, kek_version AS "kekVersion", sealed, wrapped_key AS "wrappedKey"
     FROM instance_seed WHERE network = $1`,
    [network],
  );
  return rows[0] ?? null;
}

/** Stores a seed. @returns false when the network already has one, which stays untouched */
export async function insertSeed(sql: Sql, seed: SealedSeed): Promise<boolean> {
  const { rowCount } = await sql.query(
    `INSERT INTO instance_seed (network, seal_id, sealed, wrapped_key, kek_version) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (network) DO NOTHING`,
    [seed.network, seed.sealId, Buffer.from(seed.sealed), Buffer.from(seed.wrappedKey), seed.kekVersion],
  );
  return rowCount === 1;
}
