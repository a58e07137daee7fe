import { IdParam } from '@/lib/api-schema/common';
import { PaymentStatusView } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { forcePayment } from '@/lib/invoices/force-payment';

/** PUT /api/invoices/{id}/force-payment: the owner declares an invoice paid. */
export const PUT = defineRoute({
  auth: 'session',
  params: IdParam,
  response: PaymentStatusView,
  handler: ({ db, principal, params, clock }) => forcePayment(db, principal.userId, params.id, clock),
});

export const { GET, HEAD, POST, PATCH, DELETE } = otherMethods('PUT');
