import type { Sql } from '@/lib/db/database';
import type { PoolAddress, WatchKey } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** An address of the pool, and what it should have been derived from. */
export type DerivedAddress = Row<PoolAddress, 'id' | 'address' | 'family' | 'derivationIndex'> &
  Row<WatchKey, 'publicKey'>;

const PAGE = statement<{ afterId: bigint; limit: number }, DerivedAddress>(
  'reconciliation.derivation-page',
  `SELECT p.id, p.address, p.family, p.derivation_index AS "derivationIndex", k.public_key AS "publicKey"
   FROM pool_address p JOIN watch_key k ON k.id = p.watch_key_id WHERE p.id > $afterId ORDER BY p.id LIMIT $limit`,
);

/** The next addresses of the pool, by id, whether or not somebody has them. */
export function selectDerivations(sql: Sql, afterId: bigint, limit: number): Promise<DerivedAddress[]> {
  return PAGE.all(sql, { afterId, limit });
}
