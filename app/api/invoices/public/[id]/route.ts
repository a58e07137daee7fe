import { UuidParam } from '@/lib/api-schema/common';
import { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { otherMethods } from '@/lib/http/other-methods';
import { getPublicInvoice } from '@/lib/invoices/get-invoice';

/** GET /api/invoices/public/{uuid}: an invoice for whoever has its link. */
export const GET = defineRoute({
  auth: 'none',
  door: DOORS.invoiceRead,
  params: UuidParam,
  response: PublicInvoiceView,
  handler: ({ db, params, clock }) => getPublicInvoice(db, params.id, clock),
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
