import { IdParam } from '@/lib/api-schema/common';
import { PaymentStatusView } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { checkPayment } from '@/lib/invoices/check-payment';

/** PUT /api/invoices/{id}/check-payment: decides an own invoice's status again, now. */
export const PUT = defineRoute({
  auth: 'session',
  params: IdParam,
  response: PaymentStatusView,
  handler: ({ db, principal, params, clock }) => checkPayment(db, principal.userId, params.id, clock),
});

export const { GET, HEAD, POST, PATCH, DELETE } = otherMethods('PUT');
