import { WalletList, WalletsQuery } from '@/lib/api-schema/wallets';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { listPrimaryWallets } from '@/lib/wallets/read-wallets';

/** GET /api/wallets?type=primary: the merchant's wallets with balances. */
export const GET = defineRoute({
  auth: 'session',
  query: WalletsQuery,
  response: WalletList,
  handler: async ({ db, principal, clock }) => ({ items: await listPrimaryWallets(db, principal.userId, clock) }),
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
