import type { RateLimit } from '@/lib/db/generated/client';
import { statement } from '@/lib/db/statement';

/**
 * Removes up to `limit` counters of the rate limiter whose window was over at `now` (milliseconds); the next request would begin
 * a new one anyway.
 */
export const deleteExpiredRateLimits = statement<{ now: NonNullable<RateLimit['expire']>; limit: number }>(
  'security.delete-expired-rate-limits',
  `DELETE FROM rate_limit WHERE key = ANY(ARRAY(
     SELECT key FROM rate_limit WHERE expire <= $now ORDER BY expire LIMIT $limit)) AND expire <= $now`,
);
