import { UuidParam } from '@/lib/api-schema/common';
import { ChooseCoinBody, PublicInvoiceView } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { otherMethods } from '@/lib/http/other-methods';
import { chooseCoin } from '@/lib/invoices/choose-coin';

/** POST /api/invoices/public/{uuid}/crypto: the customer's coin, once. */
export const POST = defineRoute({
  auth: 'none',
  door: DOORS.payStep,
  params: UuidParam,
  body: ChooseCoinBody,
  response: PublicInvoiceView,
  handler: ({ db, params, body, clock }) => chooseCoin(db, params.id, body.cryptoType, clock),
});

export const { GET, HEAD, PUT, PATCH, DELETE } = otherMethods('POST');
