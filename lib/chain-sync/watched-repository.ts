import type { Sql } from '@/lib/db/database';
import type { PoolAddress } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { AddressFamily, Chain } from '@/lib/shared/chains';
import { type Lease, LeaseLostError } from './lease';

const GENERATION = statement<{ family: AddressFamily }, { generation: bigint }>(
  'chain-sync.pool-generation',
  'SELECT generation FROM pool_generation WHERE family = $family::address_family',
);

/** The family's committed generation: every row of it and of those before it can be read (its row lock orders them). */
export async function readPoolGeneration(sql: Sql, family: AddressFamily): Promise<bigint> {
  return (await GENERATION.first(sql, { family }))?.generation ?? 0n;
}

interface AddressPage {
  family: AddressFamily;
  generation: bigint;
  afterId: bigint;
  limit: number;
}

const ADDRESSES = statement<AddressPage, Row<PoolAddress, 'id' | 'address'>>(
  'chain-sync.pool-addresses',
  `SELECT id, address FROM pool_address
    WHERE family = $family::address_family AND generation > $generation AND id > $afterId ORDER BY id LIMIT $limit`,
);

/** A page of the family's addresses of the generations above `generation`, by id. */
export function listPoolAddresses(sql: Sql, page: AddressPage): Promise<Row<PoolAddress, 'id' | 'address'>[]> {
  return ADDRESSES.all(sql, page);
}

const LOADED = statement<{ chain: Chain; token: bigint; generation: bigint }>(
  'chain-sync.set-loaded-generation',
  'UPDATE chain_cursor SET loaded_generation = $generation WHERE chain = $chain::chain AND lease_token = $token',
);

/** Notes that addresses up to a generation are watched. @throws LeaseLostError */
export async function setLoadedGeneration(sql: Sql, lease: Lease, generation: bigint): Promise<void> {
  if ((await LOADED.count(sql, { chain: lease.chain, token: lease.token, generation })) !== 1)
    throw new LeaseLostError(lease);
}
