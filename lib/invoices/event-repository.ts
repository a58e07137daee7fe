import type { Sql } from '@/lib/db/database';
import type { Invoice, InvoiceEvent } from '@/lib/db/generated/client';
import type { Row } from '@/lib/db/row';
import { statement } from '@/lib/db/statement';

/** An event with what never changes of its invoice: all that is told of it, now or after many attempts. */
export type EventFacts = Row<
  InvoiceEvent,
  | 'sequence'
  | 'type'
  | 'fromStatus'
  | 'toStatus'
  | 'paymentState'
  | 'amountPaidUnits'
  | 'amountReceivedUnits'
  | 'createdAt'
> &
  Row<Invoice, 'uuid' | 'externalCode' | 'description' | 'amountEurCents' | 'coin' | 'amountUnits'>;

const FIND = statement<{ eventId: bigint }, EventFacts>(
  'invoices.find-event',
  `SELECT e.sequence, e.type, e.from_status AS "fromStatus", e.to_status AS "toStatus", e.payment_state AS "paymentState",
     e.amount_paid_units AS "amountPaidUnits", e.amount_received_units AS "amountReceivedUnits", e.created_at AS "createdAt",
     i.uuid, i.external_code AS "externalCode", i.description, i.amount_eur_cents AS "amountEurCents", i.coin,
     i.amount_units AS "amountUnits"
   FROM invoice_event e JOIN invoice i ON i.id = e.invoice_id WHERE e.id = $eventId`,
  { prepared: true },
);

/** An event by its number. @throws Error when there is none */
export function findEvent(sql: Sql, eventId: bigint): Promise<EventFacts> {
  return FIND.one(sql, { eventId });
}
