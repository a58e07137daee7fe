import type { Sql } from '@/lib/db/database';

/**
 * Removes sessions that have run out; they open nothing any more.
 * @returns how many
 */
export async function deleteExpiredSessions(sql: Sql, now: Date): Promise<number> {
  return (await sql.query('DELETE FROM session WHERE expires_at <= $1', [now])).rowCount ?? 0;
}
