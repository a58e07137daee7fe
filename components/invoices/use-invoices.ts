import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { InvoiceList } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { INVOICE_PAGE_SIZE } from '@/lib/shared/limits';
import type { InvoiceFilters } from './invoice-filters';

/** A page of the merchant's invoices, newest first; the last answer stays while the next one loads. */
export function useInvoices({ searchKeyword, status, cryptoType, page }: InvoiceFilters) {
  const query = {
    page,
    pageSize: INVOICE_PAGE_SIZE,
    orderBy: 'id',
    orderType: 'DESC',
    searchKeyword: searchKeyword || undefined,
    status: status ?? undefined,
    cryptoType: cryptoType ?? undefined,
  };
  return useQuery({
    queryKey: ['invoices', query],
    queryFn: ({ signal }) =>
      apiFetch('/invoices', {
        query,
        schema: InvoiceList,
        fallback: 'Impossibile recuperare le fatture',
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
