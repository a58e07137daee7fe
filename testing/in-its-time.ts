import type { Sql } from '@/lib/db/database';

/**
 * Runs what claims rows of a queue by the database's time as if that were `now`: for so long, everything that waits is moved
 * by the difference.
 */
export async function inItsTime<T>(
  sql: Sql,
  table: 'webhook_delivery' | 'outgoing_mail',
  now: Date,
  work: () => Promise<T>,
): Promise<T> {
  const aheadMs = now.getTime() - Date.now();
  const move = (ms: number) =>
    sql.query(
      `UPDATE ${table} SET next_attempt_at = next_attempt_at + $1 * interval '1 ms',
         lease_expires_at = lease_expires_at + $1 * interval '1 ms' WHERE status = 'pending'`,
      [ms],
    );
  await move(-aheadMs);
  try {
    return await work();
  } finally {
    await move(aheadMs);
  }
}
