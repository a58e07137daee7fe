import type { Books, InvoiceRow, Outage } from './books';
import type { Memory } from './memory';
import { Violation } from './violation';

/**
 * What was once done stays done: no invoice is lost, a forced one stays forced, and whoever gave an email before a payment
 * has a receipt.
 * @throws Violation
 */
export function checkMemory(books: Books, memory: Memory): void {
  const { invoices, outages } = books;
  const byUuid = new Map(invoices.map((invoice) => [invoice.uuid, invoice]));
  for (const { uuid } of memory.invoices) if (!byUuid.has(uuid)) throw new Violation('no invoice is lost', uuid);
  for (const uuid of memory.forced) {
    const invoice = byUuid.get(uuid);
    if (invoice?.status !== 'forcePaid') throw new Violation('a forced invoice stays forced', invoice);
  }
  if (JSON.stringify(outages.map(seconds)) !== JSON.stringify(memory.outages.map(seconds)))
    throw new Violation('every time without a watcher is noted, once', { outages, known: memory.outages });
  for (const invoice of invoices) checkReceipt(invoice, memory.eventsBeforeEmail.get(invoice.uuid));
}

const seconds = ({ from, to }: Outage) => [Date.parse(from), Date.parse(to)];

function checkReceipt(invoice: InvoiceRow, eventsBeforeEmail: number | undefined): void {
  const later = eventsBeforeEmail === undefined ? [] : invoice.events.slice(eventsBeforeEmail);
  const isDue = later.some(({ from, to }) => from !== to && (to === 'paid' || to === 'forcePaid'));
  if (invoice.receipts !== Number(isDue)) throw new Violation('one receipt per paid invoice with an email', invoice);
}
