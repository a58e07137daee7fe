import type { Sql } from '@/lib/db/database';

/**
 * Removes counters of the rate limiter whose window is over; the next request would begin a new one anyway.
 * @returns how many
 */
export async function deleteExpiredRateLimits(sql: Sql, now: Date): Promise<number> {
  return (await sql.query('DELETE FROM rate_limit WHERE expire <= $1', [now.getTime()])).rowCount ?? 0;
}
