import type { Database } from '@/lib/db/database';
import type { Settlement } from './settle-invoice';

/**
 * Wakes pay pages and the dispatcher after a commit (inside a hot transaction NOTIFY serialises commits). A wake-up that
 * is lost costs a poll's delay and nothing else, so a failure here is no failure of the settlement.
 */
export async function notifyChanges(db: Pick<Database, 'pool'>, settlements: readonly Settlement[]): Promise<void> {
  const uuids = settlements.filter((settlement) => settlement.changed).map((settlement) => settlement.uuid);
  if (uuids.length === 0) return;
  const wakesDispatcher = settlements.some((settlement) => settlement.statusChanged);
  await db.pool
    .query(
      `SELECT pg_notify('incassa_invoice', uuid) FROM unnest($1::text[]) AS uuid
       UNION ALL SELECT pg_notify('incassa_delivery', '') WHERE $2`,
      [uuids, wakesDispatcher],
    )
    .catch(() => undefined);
}
