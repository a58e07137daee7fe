import { HealthView } from '@/lib/api-schema/health';
import { getHealth } from '@/lib/health/get-health';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { otherMethods } from '@/lib/http/other-methods';
import { UNAVAILABLE_RETRY_SECONDS } from '@/lib/http/problem';

/** GET /api/health: 200 while at least one coin can be paid, else 503. */
export const GET = defineRoute({
  auth: 'none',
  door: DOORS.health,
  response: HealthView,
  handler: async ({ db, clock, reply }) => {
    const health = await getHealth(db, clock);
    if (health.status === 'down') {
      reply.status = 503;
      reply.headers.set('Retry-After', String(UNAVAILABLE_RETRY_SECONDS));
    }
    return health;
  },
});

/** Monitors ask by HEAD: it reads, and changes nothing. */
export { GET as HEAD };
export const { POST, PUT, PATCH, DELETE } = otherMethods('GET', 'HEAD');
