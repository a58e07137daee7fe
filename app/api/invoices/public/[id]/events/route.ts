import { UuidParam } from '@/lib/api-schema/common';
import { defineRoute } from '@/lib/http/define-route';
import { DOORS } from '@/lib/http/doors';
import { eventStream } from '@/lib/http/event-stream';
import { invoiceChanges } from '@/lib/http/invoice-changes';
import { openStreams } from '@/lib/http/open-streams';
import { otherMethods } from '@/lib/http/other-methods';
import { requireInvoice } from '@/lib/invoices/get-invoice';

/** GET /api/invoices/public/{uuid}/events: the invoice, now and after each change. */
export const GET = defineRoute({
  auth: 'none',
  door: DOORS.invoiceStream,
  params: UuidParam,
  handler: async ({ db, params, request, clientAddress }) => {
    // Before the invoice is looked up: who is refused costs no query.
    const place = openStreams().take({ address: clientAddress, invoice: params.id });
    try {
      await requireInvoice(db, params.id);
    } catch (error) {
      place.leave();
      throw error;
    }
    return eventStream({
      request,
      place,
      subscribe: (send) => invoiceChanges().subscribe(params.id, send),
    });
  },
});

export const { HEAD, POST, PUT, PATCH, DELETE } = otherMethods('GET');
