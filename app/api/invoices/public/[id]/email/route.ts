import { UuidParam } from '@/lib/api-schema/common';
import { PublicInvoiceView, SetEmailBody } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { RATE_LIMITS } from '@/lib/http/rate-limit';
import { setInvoiceEmail } from '@/lib/invoices/set-invoice-email';

/** PUT /api/invoices/public/{uuid}/email: the customer's email, once. */
export const PUT = defineRoute({
  auth: 'none',
  params: UuidParam,
  body: SetEmailBody,
  response: PublicInvoiceView,
  limits: ({ clientAddress }) => [{ limit: RATE_LIMITS.payByAddress, key: clientAddress }],
  handler: ({ db, params, body, clock }) => setInvoiceEmail(db, params.id, body.email, clock),
});

export const { GET, HEAD, POST, PATCH, DELETE } = otherMethods('PUT');
