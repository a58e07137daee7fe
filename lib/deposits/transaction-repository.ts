import type { Sql } from '@/lib/db/database';
import type { Deposit } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';
import { confirmationsInSql, confirmedInSql, readOf } from './confirmations';

/** A transfer to a wallet. */
export type WalletTransfer = Row<Deposit, 'id' | 'txHash' | 'amountUnits'> & {
  confirmations: number;
  isConfirmed: boolean;
  isOrphaned: boolean;
  at: Date;
};

const NEWEST = statement<{ walletId: number; limit: number }, WalletTransfer>(
  'deposits.newest-of-wallet',
  `SELECT d.id, d.tx_hash AS "txHash", d.amount_units AS "amountUnits", d.orphaned_at IS NOT NULL AS "isOrphaned",
     CASE WHEN d.orphaned_at IS NULL AND d.epoch = c.epoch THEN ${confirmationsInSql('d', 'c')} ELSE 0 END::int AS confirmations,
     coalesce(d.orphaned_at IS NULL AND d.epoch = c.epoch AND ${confirmedInSql('d', readOf('c'))}, false) AS "isConfirmed",
     coalesce(d.block_time, d.seen_at) AS at
   FROM deposit d JOIN chain_cursor c ON c.chain = d.chain
   WHERE d.wallet_id = $walletId ORDER BY d.id DESC LIMIT $limit`,
);

/** The newest transfers to a wallet. */
export function selectTransfers(sql: Sql, walletId: number, limit: number): Promise<WalletTransfer[]> {
  return NEWEST.all(sql, { walletId, limit });
}
