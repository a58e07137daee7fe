import { useQuery } from '@tanstack/react-query';
import { apiFetch } from '@/lib/client/api';
import { InvoiceView } from '@/lib/contract/invoices';
import { PAYMENT_POLL_MS } from '@/lib/shared/limits';

/** One invoice of the merchant; while it is pending it is read again every 15 s. */
export function useInvoice(id: string) {
  return useQuery({
    queryKey: ['invoice', id],
    queryFn: ({ signal }) =>
      apiFetch(`/invoices/${encodeURIComponent(id)}`, {
        schema: InvoiceView,
        fallback: 'Impossibile recuperare la fattura',
        signal,
      }),
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? PAYMENT_POLL_MS : false),
  });
}
