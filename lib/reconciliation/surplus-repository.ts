import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import type { Coin } from '@/lib/shared/coins';
import type { Basis } from './basis-repository';

/** Money on one of our addresses that the records do not explain, in base units. */
export interface Surplus {
  poolAddressId: bigint;
  units: bigint;
}

const SAVE = statement<{
  coin: Coin;
  height: bigint;
  at: Date;
  comparedIds: readonly bigint[];
  ids: bigint[];
  units: bigint[];
}>(
  'reconciliation.save-surpluses',
  `WITH gone AS (
     DELETE FROM address_surplus WHERE coin = $coin::coin AND pool_address_id = ANY($comparedIds::bigint[])
       AND NOT pool_address_id = ANY($ids::bigint[])
   )
   INSERT INTO address_surplus AS s (coin, pool_address_id, units, height, found_at)
   SELECT $coin::coin, found.id, found.units, $height::bigint, $at
   FROM unnest($ids::bigint[], $units::numeric[]) AS found (id, units)
   ON CONFLICT (coin, pool_address_id) DO UPDATE
     SET units = excluded.units, height = excluded.height, told_units = least(s.told_units, excluded.units)
     WHERE s.units <> excluded.units`,
);

/**
 * Keeps what a comparison found, and forgets what it found explained.
 * @param comparedIds the pool addresses that were compared
 */
export async function saveSurpluses(
  sql: Sql,
  { coin, height }: Basis,
  comparedIds: readonly bigint[],
  surpluses: readonly Surplus[],
  at: Date,
): Promise<void> {
  const ids = surpluses.map(({ poolAddressId }) => poolAddressId);
  const units = surpluses.map((surplus) => surplus.units);
  await SAVE.count(sql, { coin, height, at, comparedIds, ids, units });
}

const LESSEN = statement<Surplus & { coin: Coin }>(
  'reconciliation.lessen-surplus',
  `WITH explained AS (
     DELETE FROM address_surplus WHERE coin = $coin::coin AND pool_address_id = $poolAddressId AND units <= $units::numeric
   )
   UPDATE address_surplus SET units = units - $units::numeric, told_units = least(told_units, units - $units::numeric)
   WHERE coin = $coin::coin AND pool_address_id = $poolAddressId AND units > $units::numeric`,
);

/** So much of what was found on an address is explained now. */
export async function lessenSurplus(
  sql: Sql,
  { coin, poolAddressId }: Pick<Surplus, 'poolAddressId'> & { coin: Coin },
  units: bigint,
): Promise<void> {
  await LESSEN.count(sql, { coin, poolAddressId, units });
}
