import { UuidParam } from '@/lib/api-schema/common';
import { PublicInvoiceView, SetEmailBody } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { otherMethods } from '@/lib/http/other-methods';
import { setInvoiceEmail } from '@/lib/invoices/set-invoice-email';

/** PUT /api/invoices/public/{uuid}/email: the customer's email, once. */
export const PUT = defineRoute({
  auth: 'none',
  door: DOORS.payStep,
  params: UuidParam,
  body: SetEmailBody,
  response: PublicInvoiceView,
  handler: ({ db, params, body, clock }) => setInvoiceEmail(db, params.id, body.email, clock),
});

export const { GET, HEAD, POST, PATCH, DELETE } = otherMethods('PUT');
