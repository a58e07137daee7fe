import type { Books, InvoiceRow } from './books';
import type { Memory } from './memory';
import { Violation } from './violation';

/**
 * What was once done stays done: no invoice is lost, a forced one stays forced, and whoever gave an email before a payment
 * has a receipt.
 * @throws Violation
 */
export function checkMemory({ invoices }: Books, memory: Memory): void {
  const byUuid = new Map(invoices.map((invoice) => [invoice.uuid, invoice]));
  for (const { uuid } of memory.invoices) if (!byUuid.has(uuid)) throw new Violation('no invoice is lost', uuid);
  for (const uuid of memory.forced) {
    const invoice = byUuid.get(uuid);
    if (invoice?.status !== 'forcePaid') throw new Violation('a forced invoice stays forced', invoice);
  }
  for (const invoice of invoices) checkReceipt(invoice, memory.eventsBeforeEmail.get(invoice.uuid));
}

function checkReceipt(invoice: InvoiceRow, eventsBeforeEmail: number | undefined): void {
  const later = eventsBeforeEmail === undefined ? [] : invoice.events.slice(eventsBeforeEmail);
  const isDue = later.some(({ from, to }) => from !== to && (to === 'paid' || to === 'forcePaid'));
  if (invoice.receipts !== Number(isDue)) throw new Violation('one receipt per paid invoice with an email', invoice);
}
