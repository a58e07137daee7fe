import { CreatePrimaryBody, WalletView } from '@/lib/api-schema/wallets';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { createPrimaryWallet } from '@/lib/wallets/create-primary-wallet';

/** POST /api/wallets/create-primary: the merchant's wallet of a coin. */
export const POST = defineRoute({
  auth: 'session',
  body: CreatePrimaryBody,
  response: WalletView,
  status: 201,
  handler: ({ db, principal, body, clock }) => createPrimaryWallet(db, principal.userId, body.cryptoType, clock),
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
