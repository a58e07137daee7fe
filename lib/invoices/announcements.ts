import type { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import type { Sql } from '@/lib/db/database';
import { enqueueMail } from '@/lib/mail/enqueue-mail';
import { isPaidStatus } from '@/lib/shared/invoice-status';
import { centsToEuro, toShownAmount, ZERO_SHOWN } from '@/lib/shared/money';
import { enqueueDeliveries } from '@/lib/webhooks/delivery-log';
import { INVOICE_EVENTS } from './events';
import { misfitMail, receiptMail, reversalMail } from './mails';
import type { Misfit } from './misfit';
import { insertEvent, type LockedInvoice } from './settlement-repository';
import type { Decision } from './state';

/** Stores the event of a status change, its deliveries, the customer's receipt and the owner's alarm, in the transaction of the
 * change. */
export async function announceChange(sql: Sql, invoice: LockedInvoice, decision: Decision, now: Date): Promise<void> {
  const { status: toStatus, paymentState } = decision;
  const event = await insertEvent(sql, {
    invoiceId: invoice.id,
    type: INVOICE_EVENTS.statusChanged,
    fromStatus: invoice.status,
    toStatus,
    paymentState,
    createdAt: now,
  });
  const body: InvoiceStatusChanged = {
    event: INVOICE_EVENTS.statusChanged,
    type: INVOICE_EVENTS.statusChanged,
    data: payload(invoice, decision, event.sequence),
    timestamp: now.toISOString(),
  };
  const { userId, apiKeyId } = invoice;
  await enqueueDeliveries(sql, { eventId: event.id, userId, apiKeyId, body: JSON.stringify(body) });
  if (isPaidStatus(toStatus) && invoice.email)
    await enqueueMail(sql, { ...receiptMail(invoice, decision), recipient: invoice.email });
  if (invoice.status === 'paid') await enqueueMail(sql, reversalMail(invoice, event.sequence));
}

function payload(invoice: LockedInvoice, decision: Decision, sequence: number): InvoiceStatusChanged['data'] {
  const { priced } = invoice;
  return {
    uuid: invoice.uuid,
    status: decision.status,
    externalCode: invoice.externalCode,
    previousStatus: invoice.status,
    paymentState: decision.paymentState,
    sequence,
    amountEuro: centsToEuro(invoice.amountEurCents),
    cryptoType: priced?.coin ?? null,
    amount: priced ? toShownAmount(priced.dueUnits, priced.coin, 'up') : null,
    amountPaid: priced ? toShownAmount(decision.amountPaidUnits, priced.coin, 'down') : ZERO_SHOWN,
  };
}

/** Stores the event of money that does not fit and tells the owner, in the transaction that found it. */
export async function announceMisfit(
  sql: Sql,
  invoice: LockedInvoice,
  decision: Decision,
  misfit: Misfit,
  now: Date,
): Promise<void> {
  const event = await insertEvent(sql, {
    invoiceId: invoice.id,
    type: misfit,
    fromStatus: decision.status,
    toStatus: decision.status,
    paymentState: decision.paymentState,
    createdAt: now,
  });
  await enqueueMail(sql, misfitMail(invoice, misfit, event.sequence));
}
