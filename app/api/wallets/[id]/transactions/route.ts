import { IdParam } from '@/lib/api-schema/common';
import { TransactionList } from '@/lib/api-schema/wallets';
import { listWalletTransactions } from '@/lib/deposits/list-wallet-transactions';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';

/** GET /api/wallets/{id}/transactions: the newest transfers of an own wallet. */
export const GET = defineRoute({
  auth: 'session',
  params: IdParam,
  response: TransactionList,
  handler: async ({ db, principal, params }) => ({
    items: await listWalletTransactions(db, principal.userId, params.id),
  }),
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
