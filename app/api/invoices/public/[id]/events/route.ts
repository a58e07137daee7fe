import { UuidParam } from '@/lib/api-schema/common';
import { defineRoute } from '@/lib/http/define-route';
import { eventStream } from '@/lib/http/event-stream';
import { invoiceChanges } from '@/lib/http/invoice-changes';
import { otherMethods } from '@/lib/http/other-methods';
import { getPublicInvoice } from '@/lib/invoices/get-invoice';

/** GET /api/invoices/public/{uuid}/events: the invoice, now and after each change. */
export const GET = defineRoute({
  auth: 'none',
  params: UuidParam,
  handler: async ({ db, params, clock, request, logger }) => {
    const first = await getPublicInvoice(db, params.id, clock);
    return eventStream(request, ({ send }) => {
      const sendCurrent = () => {
        getPublicInvoice(db, params.id, clock).then(
          (invoice) => send('invoice', invoice),
          (error) => logger.warn({ err: error }, 'event stream skipped a change'),
        );
      };
      send('invoice', first);
      return invoiceChanges().subscribe(params.id, sendCurrent);
    });
  },
});

export const { POST, PUT, PATCH, DELETE } = otherMethods('GET');
