import type { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import type { Sql } from '@/lib/db/database';
import { centsToEuro, toShownAmount, ZERO_SHOWN } from '@/lib/shared/money';
import { type EventFacts, findEvent } from './event-repository';
import { INVOICE_EVENTS } from './events';
import { type EventMail, misfitMail, receiptMail, reversalMail } from './mails';

/**
 * The exact JSON text of an event's webhook. It is made of what never changes, so that every attempt sends the same.
 * @throws Error for an unknown event
 */
export async function webhookBody(sql: Sql, eventId: bigint): Promise<string> {
  const event = await findEvent(sql, eventId);
  const body: InvoiceStatusChanged = {
    event: INVOICE_EVENTS.statusChanged,
    type: INVOICE_EVENTS.statusChanged,
    data: payload(event),
    timestamp: event.createdAt.toISOString(),
  };
  return JSON.stringify(body);
}

function payload(event: EventFacts): InvoiceStatusChanged['data'] {
  const { coin, amountUnits } = event;
  return {
    uuid: event.uuid,
    status: event.toStatus,
    externalCode: event.externalCode,
    previousStatus: event.fromStatus,
    paymentState: event.paymentState,
    sequence: event.sequence,
    amountEuro: centsToEuro(event.amountEurCents),
    cryptoType: coin,
    amount: coin && amountUnits !== null ? toShownAmount(amountUnits, coin, 'up') : null,
    amountPaid: coin ? toShownAmount(event.amountPaidUnits, coin, 'down') : ZERO_SHOWN,
  };
}

const MAILS = { receipt: receiptMail, reversal: reversalMail, misfit: misfitMail };

/** Subject and text of a mail that goes with an event. @throws Error for an unknown event */
export async function composeMail(sql: Sql, eventId: bigint, kind: keyof typeof MAILS): Promise<EventMail> {
  return MAILS[kind](await findEvent(sql, eventId));
}
