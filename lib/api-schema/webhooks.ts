import { z } from 'zod';
import { INVOICE_STATUSES, PAYMENT_STATES } from '@/lib/shared/invoice-status';
import { CoinSchema, DecimalText, IsoDate } from './common';

/** Body of a webhook: event, data and timestamp, and what receivers need beside them. */
export const InvoiceStatusChanged = z.object({
  event: z.literal('invoice.statusChanged'),
  /** The same event under the name that Standard Webhooks uses. */
  type: z.literal('invoice.statusChanged'),
  data: z.object({
    uuid: z.string(),
    status: z.enum(INVOICE_STATUSES),
    externalCode: z.string().nullable(),
    previousStatus: z.enum(INVOICE_STATUSES),
    paymentState: z.enum(PAYMENT_STATES),
    /** Grows by one with every event of the invoice: a receiver drops what is older than what it knows. */
    sequence: z.number(),
    amountEuro: z.number(),
    cryptoType: CoinSchema.nullable(),
    amount: DecimalText.nullable(),
    amountPaid: DecimalText,
  }),
  timestamp: IsoDate,
});
export type InvoiceStatusChanged = z.infer<typeof InvoiceStatusChanged>;
