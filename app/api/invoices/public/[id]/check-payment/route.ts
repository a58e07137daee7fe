import { UuidParam } from '@/lib/api-schema/common';
import { PublicPaymentStatusView } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { otherMethods } from '@/lib/http/other-methods';
import { checkPublicPayment } from '@/lib/invoices/check-payment';

/** GET /api/invoices/public/{uuid}/check-payment: what the pay page asks every 15 seconds. */
export const GET = defineRoute({
  auth: 'none',
  door: DOORS.invoiceRead,
  params: UuidParam,
  response: PublicPaymentStatusView,
  handler: ({ db, params, clock }) => checkPublicPayment(db, params.id, clock),
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
