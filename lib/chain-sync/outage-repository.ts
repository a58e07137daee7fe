import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import { COINS, type Coin } from '@/lib/shared/coins';
import { INVOICE_STATUSES, type InvoiceStatus } from '@/lib/shared/invoice-status';
import { EXPIRY_MINUTES } from '@/lib/shared/limits';

interface OldOutages {
  before: Date;
  limit: number;
  /** Every one: with them the index on status, coin and end is used. */
  statuses: readonly InvoiceStatus[];
  coins: readonly Coin[];
  longestMinutes: number;
}

const DELETE = statement<OldOutages>(
  'chain-sync.delete-old-outages',
  `DELETE FROM watcher_outage WHERE id IN (
     SELECT o.id FROM watcher_outage o
     WHERE o.ended_at < $before AND NOT EXISTS (
       SELECT 1 FROM invoice i
       WHERE i.status = ANY($statuses::invoice_status[]) AND i.coin = ANY($coins::coin[]) AND i.expires_at > o.started_at
         AND i.expires_at < o.ended_at + $longestMinutes * interval '1 minute'
         AND i.chain = o.chain AND i.created_at < o.ended_at)
     ORDER BY o.ended_at LIMIT $limit)`,
);

/**
 * Removes up to `limit` outages that ended before `before` and in which no invoice of their chain was open: one that moved an
 * invoice's end explains its decision as long as the invoice is kept.
 */
export function deleteOldOutages(sql: Sql, { before, limit }: Pick<OldOutages, 'before' | 'limit'>): Promise<number> {
  const longestMinutes = Math.max(...EXPIRY_MINUTES);
  return DELETE.count(sql, { before, limit, longestMinutes, statuses: INVOICE_STATUSES, coins: COINS });
}
