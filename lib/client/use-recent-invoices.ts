import { useQuery } from '@tanstack/react-query';
import { InvoiceList } from '@/lib/api-schema/invoices';
import { RECENT_INVOICES } from '@/lib/shared/limits';
import { apiFetch } from './api';

const REFRESH_MS = 15_000;

/** The merchant's latest five invoices, fetched again every 15 s while the page is looked at. */
export function useRecentInvoices() {
  return useQuery({
    queryKey: ['invoices', 'recent'],
    queryFn: ({ signal }) =>
      apiFetch('/invoices', {
        query: { page: 1, pageSize: RECENT_INVOICES },
        schema: InvoiceList,
        fallback: 'Impossibile recuperare le fatture',
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });
}
