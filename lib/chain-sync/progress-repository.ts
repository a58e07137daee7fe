import type { Sql } from '@/lib/db/database';
import type { ChainCursor } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** How far a chain is followed, for metrics. */
export type ChainProgress = Row<ChainCursor, 'chain' | 'lookedAt' | 'unreadSince' | 'pausedReason'> & {
  followedUntil: Row<ChainCursor, 'updatedAt'>['updatedAt'];
};

const SELECT = statement<object, ChainProgress>(
  'chain-sync.progress',
  `SELECT chain, looked_at AS "lookedAt", unread_since AS "unreadSince", paused_reason AS "pausedReason",
     updated_at AS "followedUntil"
   FROM chain_cursor WHERE height IS NOT NULL ORDER BY chain`,
);

/** Every chain that is read, with how far it is followed. */
export function selectProgress(sql: Sql): Promise<ChainProgress[]> {
  return SELECT.all(sql, {});
}
