import type { RateLimit } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** Database time in milliseconds since 1970, as `expire` is stored. Not the transaction's: a count waits for others. */
const NOW_MS = '(extract(epoch FROM clock_timestamp()) * 1000)::int8';

/** Counts a key once more in its window, which begins with the first count. @returns how the count stands, and how long yet */
export const countInDatabase = statement<
  { key: string; windowMs: number },
  Row<RateLimit, 'points'> & { msLeft: bigint }
>(
  'security.count',
  `INSERT INTO rate_limit AS r (key, points, expire) VALUES ($key, 1, ${NOW_MS} + $windowMs::int8)
   ON CONFLICT (key) DO UPDATE SET
     points = CASE WHEN r.expire <= ${NOW_MS} THEN 1 ELSE r.points + 1 END,
     expire = CASE WHEN r.expire <= ${NOW_MS} THEN excluded.expire ELSE r.expire END
   RETURNING r.points, greatest(r.expire - ${NOW_MS}, 0) AS "msLeft"`,
  { prepared: true },
);

/** Takes one count of an open window back. */
export const takeBackInDatabase = statement<{ key: string }>(
  'security.take-back',
  `UPDATE rate_limit SET points = points - 1 WHERE key = $key AND points > 0 AND expire > ${NOW_MS}`,
  { prepared: true },
);

/** Removes up to `limit` counters whose window is over; the next request would begin a new one anyway. */
export const deleteExpiredRateLimits = statement<{ limit: number }>(
  'security.delete-expired-rate-limits',
  `DELETE FROM rate_limit WHERE key = ANY(ARRAY(
     SELECT key FROM rate_limit WHERE expire <= ${NOW_MS} ORDER BY expire LIMIT $limit)) AND expire <= ${NOW_MS}`,
);
