import type { QueryClient } from '@tanstack/react-query';
import type { InvoiceDetailView, InvoiceList } from '@/lib/api-schema/invoices';

/** Puts a fresh answer about one invoice into everything that shows it, and has its transactions read again. */
export function rememberInvoice(client: QueryClient, invoice: InvoiceDetailView): void {
  client.setQueriesData<InvoiceDetailView>({ queryKey: ['invoice'] }, (known) =>
    known?.uuid === invoice.uuid ? invoice : known,
  );
  client.setQueriesData<InvoiceList>({ queryKey: ['invoices'] }, (list) =>
    list ? { ...list, items: list.items.map((item) => (item.uuid === invoice.uuid ? invoice : item)) } : list,
  );
  if (invoice.wallet) void client.invalidateQueries({ queryKey: ['transactions', invoice.wallet.uuid] });
}
