import { UuidParam } from '@/lib/api-schema/common';
import { ChooseCoinBody, PublicInvoiceView } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { RATE_LIMITS } from '@/lib/http/rate-limit';
import { chooseCoin } from '@/lib/invoices/choose-coin';

/** POST /api/invoices/public/{uuid}/crypto: the customer's coin, once. */
export const POST = defineRoute({
  auth: 'none',
  params: UuidParam,
  body: ChooseCoinBody,
  response: PublicInvoiceView,
  limits: ({ clientAddress }) => [{ limit: RATE_LIMITS.payByAddress, key: clientAddress }],
  handler: ({ db, params, body, clock }) => chooseCoin(db, params.id, body.cryptoType, clock),
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
