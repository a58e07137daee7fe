import type { Sql } from '@/lib/db/database';
import { statement } from '@/lib/db/statement';
import { EXPIRY_MINUTES } from '@/lib/shared/limits';

interface OldOutages {
  before: Date;
  limit: number;
  longestMinutes: number;
}

const DELETE = statement<OldOutages>(
  'chain-sync.delete-old-outages',
  `DELETE FROM watcher_outage WHERE id = ANY(ARRAY(
     SELECT o.id FROM watcher_outage o
     WHERE o.ended_at < $before AND (
       SELECT i.id FROM invoice i
       WHERE i.created_at > o.started_at - $longestMinutes * interval '1 minute' AND i.created_at < o.ended_at
         AND i.expires_at > o.started_at AND i.chain = o.chain LIMIT 1) IS NULL
     ORDER BY o.ended_at LIMIT $limit))`,
);

/**
 * Removes up to `limit` outages that ended before `before` and in which no invoice of their chain was open: one that moved an
 * invoice's end explains its decision as long as the invoice is kept.
 */
export function deleteOldOutages(sql: Sql, { before, limit }: Pick<OldOutages, 'before' | 'limit'>): Promise<number> {
  return DELETE.count(sql, { before, limit, longestMinutes: Math.max(...EXPIRY_MINUTES) });
}
