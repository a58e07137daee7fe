import type { Sql } from '@/lib/db/database';
import type { ChainCursor } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import type { Chain } from '@/lib/shared/chains';
import type { Lease } from './lease';

const INSERT = statement<{ chain: Chain }>(
  'chain-sync.insert-cursor',
  'INSERT INTO chain_cursor (chain) VALUES ($chain::chain) ON CONFLICT DO NOTHING',
);

/** The chain's row exists from now on; an existing one stays as it is. */
export async function insertCursor(sql: Sql, chain: Chain): Promise<void> {
  await INSERT.count(sql, { chain });
}

interface LeaseRequest {
  chain: Chain;
  owner: string;
  ttlMs: number;
  confirmations: number;
}

const TAKE = statement<LeaseRequest, Row<ChainCursor, 'leaseToken'>>(
  'chain-sync.take-lease',
  `UPDATE chain_cursor
      SET lease_token = lease_token + 1, lease_owner = $owner, confirmations = $confirmations,
          lease_expires_at = now() + $ttlMs * interval '1 millisecond'
    WHERE chain = $chain::chain AND (lease_expires_at IS NULL OR lease_expires_at <= now())
    RETURNING lease_token AS "leaseToken"`,
);

/** Takes a free or expired lease. The database's clock decides, because watchers run on several machines. */
export async function takeFreeLease(sql: Sql, request: LeaseRequest): Promise<bigint | null> {
  return (await TAKE.first(sql, request))?.leaseToken ?? null;
}

const EXTEND = statement<{ chain: Chain; token: bigint; ttlMs: number }>(
  'chain-sync.extend-lease',
  `UPDATE chain_cursor SET lease_expires_at = now() + $ttlMs * interval '1 millisecond'
    WHERE chain = $chain::chain AND lease_token = $token`,
);

/** Extends (or with 0 ends) a lease. @returns false when it is no longer the newest */
export async function extendLease(sql: Sql, { chain, token }: Lease, ttlMs: number): Promise<boolean> {
  return (await EXTEND.count(sql, { chain, token, ttlMs })) === 1;
}
