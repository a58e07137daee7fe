import { useQuery } from '@tanstack/react-query';
import { InvoiceDetailView } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { PAYMENT_POLL_MS } from '@/lib/shared/limits';

/** One invoice of the merchant; while it is pending, or money on it waits for confirmations, it is read again every 15 s. */
export function useInvoice(id: string) {
  return useQuery({
    queryKey: ['invoice', id],
    queryFn: ({ signal }) =>
      apiFetch(`/invoices/${encodeURIComponent(id)}`, {
        schema: InvoiceDetailView,
        fallback: 'Impossibile recuperare la fattura',
        signal,
      }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? PAYMENT_POLL_MS : false),
  });
}

function isMoving(invoice: InvoiceDetailView | undefined): boolean {
  if (!invoice) return false;
  return invoice.status === 'pending' || invoice.payments.some(({ status }) => status === 'unconfirmed');
}
