import { IdParam } from '@/lib/api-schema/common';
import { WalletView } from '@/lib/api-schema/wallets';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { getWallet } from '@/lib/wallets/read-wallets';

/** GET /api/wallets/{id}: one of the merchant's own wallets. */
export const GET = defineRoute({
  auth: 'session',
  params: IdParam,
  response: WalletView,
  handler: ({ db, principal, params, clock }) => getWallet(db, principal.userId, params.id, clock),
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
