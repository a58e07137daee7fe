import type { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import type { Sql } from '@/lib/db/database';
import { enqueueMail } from '@/lib/mail/enqueue-mail';
import { centsToEuro, toShownAmount } from '@/lib/shared/money';
import { enqueueDeliveries } from '@/lib/webhooks/enqueue-deliveries';
import { receiptMail } from './receipt-mail';
import { reversalMail } from './reversal-mail';
import { insertEvent, type LockedInvoice } from './settlement-repository';
import type { Decision } from './state';

const EVENT = 'invoice.statusChanged';

/** Stores the event of a status change, its deliveries, the customer's receipt and the owner's alarm, in the transaction of the
 * change. */
export async function announceChange(sql: Sql, invoice: LockedInvoice, decision: Decision, now: Date): Promise<void> {
  const { status: toStatus, paymentState } = decision;
  const event = await insertEvent(sql, {
    invoiceId: invoice.id,
    type: EVENT,
    fromStatus: invoice.status,
    toStatus,
    paymentState,
    createdAt: now,
  });
  const body: InvoiceStatusChanged = {
    event: EVENT,
    type: EVENT,
    data: payload(invoice, decision, event.sequence),
    timestamp: now.toISOString(),
  };
  const { userId, apiKeyId } = invoice;
  await enqueueDeliveries(sql, { eventId: event.id, userId, apiKeyId, body: JSON.stringify(body) });
  const isPaid = toStatus === 'paid' || toStatus === 'forcePaid';
  if (isPaid && invoice.email) await enqueueMail(sql, receiptMail(invoice, invoice.email));
  if (invoice.status === 'paid') await enqueueMail(sql, reversalMail(invoice, event.sequence));
}

function payload(invoice: LockedInvoice, decision: Decision, sequence: number): InvoiceStatusChanged['data'] {
  const coin = invoice.priced?.coin ?? null;
  return {
    uuid: invoice.uuid,
    status: decision.status,
    externalCode: invoice.externalCode,
    previousStatus: invoice.status,
    paymentState: decision.paymentState,
    sequence,
    amountEuro: centsToEuro(invoice.amountEurCents),
    cryptoType: coin,
    amount: invoice.priced ? toShownAmount(invoice.priced.dueUnits, invoice.priced.coin, 'up') : null,
    amountPaid: toShownAmount(decision.amountPaidUnits, coin ?? 'ETH', 'down'),
  };
}
