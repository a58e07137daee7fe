import { defineRoute } from '@/lib/http/define-route';
import { AppError } from '@/lib/shared/errors';

/** Any other path at or below /api: 404 as problem+json, not the page for people. */
const refuse = defineRoute({
  auth: 'none',
  handler: async () => {
    throw new AppError('not_found');
  },
});

export { refuse as DELETE, refuse as GET, refuse as HEAD, refuse as PATCH, refuse as POST, refuse as PUT };
