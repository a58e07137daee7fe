import { InvoiceStatusChanged } from '@/lib/api-schema/webhooks';
import type { InvoiceStatus } from '@/lib/shared/invoice-status';
import type { Books, EventRow, InvoiceRow } from './books';
import { Violation } from './violation';

const LEGAL: Record<InvoiceStatus, readonly InvoiceStatus[]> = {
  pending: ['paid', 'expired', 'forcePaid'],
  expired: ['paid', 'forcePaid'],
  paid: ['pending'],
  forcePaid: [],
};

/**
 * I7: every change of status has exactly one event, numbered without gaps, with one delivery per eligible key that says
 * the same; statuses move along the table; a receipt goes out at most once.
 * @param keysOf the active keys with a webhook URL that an invoice's events go to
 * @throws Violation
 */
export function checkEvents({ invoices }: Books, keysOf: (invoice: InvoiceRow) => readonly number[]): void {
  for (const invoice of invoices) {
    invoice.events.forEach((event, index) => {
      if (event.sequence !== index + 1) throw new Violation('I7 events are numbered without gaps', invoice);
      if (event.type === 'invoice.statusChanged') checkDeliveries(event, invoice, keysOf(invoice));
      else if (event.from !== event.to) throw new Violation('I7 only a change of status changes it', invoice);
    });
    checkPath(invoice);
    if (invoice.receipts > 1) throw new Violation('I7 one receipt at most', invoice);
    const reversals = invoice.events.filter(({ from, to }) => from === 'paid' && to === 'pending');
    if (invoice.alarms !== reversals.length) throw new Violation('I7 every reversal is told to the owner', invoice);
  }
}

function checkPath(invoice: InvoiceRow): void {
  let status: InvoiceStatus = 'pending';
  for (const event of invoice.events.filter(({ type }) => type === 'invoice.statusChanged')) {
    if (event.from !== status || !LEGAL[event.from].includes(event.to))
      throw new Violation('I7 a status moves along the table', invoice);
    status = event.to;
  }
  const told = invoice.events.filter(({ type }) => type === 'invoice.statusChanged').map(({ to }) => to);
  if (['pending', ...told].join() !== invoice.history.join())
    throw new Violation('I7 the history keeps every status', invoice);
  if (status !== invoice.status) throw new Violation('I7 every change of status has its event', invoice);
}

function checkDeliveries({ deliveries, ...event }: EventRow, invoice: InvoiceRow, keys: readonly number[]): void {
  const told = deliveries.map(({ apiKeyId }) => apiKeyId).toSorted((a, b) => a - b);
  if (told.join() !== [...keys].toSorted((a, b) => a - b).join())
    throw new Violation('I7 an event has one delivery per eligible key', { event, told, keys });
  if (event.body === null) return;
  const { data } = InvoiceStatusChanged.parse(JSON.parse(event.body));
  const isSame =
    data.uuid === invoice.uuid &&
    data.sequence === event.sequence &&
    data.status === event.to &&
    data.previousStatus === event.from;
  if (!isSame) throw new Violation('I7 a delivery says what its event says', { event, data });
}
