import { IdParam } from '@/lib/api-schema/common';
import { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { getInvoice } from '@/lib/invoices/get-invoice';

/** GET /api/invoices/{id}: one of the merchant's own invoices. */
export const GET = defineRoute({
  auth: 'sessionOrApiKey',
  params: IdParam,
  response: InvoiceDetailView,
  handler: ({ db, principal, params, clock }) => getInvoice(db, principal.userId, params.id, clock),
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
