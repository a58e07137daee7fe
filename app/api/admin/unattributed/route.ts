import { UnattributedList, UnattributedQuery } from '@/lib/api-schema/unattributed';
import { listUnattributed } from '@/lib/deposits/unattributed';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { page } from '@/lib/http/pagination';

/** GET /api/admin/unattributed: money that still needs an owner, for the operator. */
export const GET = defineRoute({
  auth: 'admin',
  query: UnattributedQuery,
  response: UnattributedList,
  handler: async ({ db, query }) => {
    const { items, total } = await listUnattributed(db, query);
    return page(items, total, query);
  },
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
