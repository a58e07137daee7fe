import { IdParam } from '@/lib/api-schema/common';
import { WalletBalanceView } from '@/lib/api-schema/wallets';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { getWallet } from '@/lib/wallets/read-wallets';

/** GET /api/wallets/{id}/balance: confirmed and unconfirmed money of an own wallet. */
export const GET = defineRoute({
  auth: 'session',
  params: IdParam,
  response: WalletBalanceView,
  handler: ({ db, principal, params, clock }) => getWallet(db, principal.userId, params.id, clock),
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
