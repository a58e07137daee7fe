import { CreateInvoiceBody, InvoiceList, InvoiceView, ListInvoicesQuery } from '@/lib/api-schema/invoices';
import { defineRoute } from '@/lib/http/define-route';
import { otherMethods } from '@/lib/http/other-methods';
import { page } from '@/lib/http/pagination';
import { createInvoice } from '@/lib/invoices/create-invoice';
import { listInvoices } from '@/lib/invoices/list-invoices';

/** GET /api/invoices: one page of the merchant's own invoices. */
export const GET = defineRoute({
  auth: 'sessionOrApiKey',
  query: ListInvoicesQuery,
  response: InvoiceList,
  handler: async ({ db, principal, query, clock }) => {
    const { items, total } = await listInvoices(db, principal.userId, query, clock);
    return page(items, total, query);
  },
});

/** POST /api/invoices: a new invoice, from a screen or from an integrator. */
export const POST = defineRoute({
  auth: 'sessionOrApiKey',
  body: CreateInvoiceBody,
  response: InvoiceView,
  status: 201,
  handler: ({ db, principal, body, clock }) => {
    const apiKeyId = principal.kind === 'apiKey' ? principal.apiKeyId : null;
    return createInvoice(db, { userId: principal.userId, apiKeyId }, body, clock);
  },
});

export const { HEAD, PUT, PATCH, DELETE } = otherMethods('GET', 'POST');
