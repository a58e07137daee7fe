import { IdParam } from '@/lib/api-schema/common';
import { InvoiceDetailView, ResolveInvoiceBody } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { resolveInvoice } from '@/lib/invoices/resolve-invoice';

/** PUT /api/invoices/{id}/resolve: the owner decides on money that does not fit. */
export const PUT = defineRoute({
  auth: 'session',
  params: IdParam,
  body: ResolveInvoiceBody,
  response: InvoiceDetailView,
  handler: ({ db, principal, params, body, clock }) => resolveInvoice(db, principal.userId, params.id, body, clock),
});

export const { GET, HEAD, POST, PATCH, DELETE } = otherMethods('PUT');
