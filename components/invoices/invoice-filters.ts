import { usePathname, useSearchParams } from 'next/navigation';
import { z } from 'zod';
import { CoinSchema } from '@/lib/api-schema/common';
import { INVOICE_STATUSES } from '@/lib/shared/invoice-status';

/** What the list of invoices shows. Null means all. */
const InvoiceFilters = z.object({
  searchKeyword: z.string().max(200).catch(''),
  status: z.enum(INVOICE_STATUSES).nullable().catch(null),
  cryptoType: CoinSchema.nullable().catch(null),
  page: z.coerce.number().int().min(1).catch(1),
});
export type InvoiceFilters = z.infer<typeof InvoiceFilters>;

/** Reads the filters from the address of the page; whatever is no filter counts as "all". */
export function readFilters(params: Pick<URLSearchParams, 'get'>): InvoiceFilters {
  return InvoiceFilters.parse({
    searchKeyword: params.get('cerca') ?? '',
    status: params.get('stato'),
    cryptoType: params.get('crypto'),
    page: params.get('pagina') ?? 1,
  });
}

/** The filters as a query, without the ones that say "all": "" or "?stato=paid&pagina=2". */
export function writeFilters({ searchKeyword, status, cryptoType, page }: InvoiceFilters): string {
  const params = new URLSearchParams();
  if (searchKeyword) params.set('cerca', searchKeyword);
  if (status) params.set('stato', status);
  if (cryptoType) params.set('crypto', cryptoType);
  if (page > 1) params.set('pagina', String(page));
  return params.size > 0 ? `?${params}` : '';
}

/**
 * The list's filters, kept in the address of the page. A change of filter starts again from page 1; only a change of page
 * is a step that the browser's back button undoes.
 */
export function useInvoiceFilters(): [InvoiceFilters, (change: Partial<InvoiceFilters>) => void] {
  const pathname = usePathname();
  const filters = readFilters(useSearchParams());
  const change = (changed: Partial<InvoiceFilters>) => {
    const next = { ...filters, page: 1, ...changed };
    const address = `${pathname}${writeFilters(next)}`;
    if (changed.page === undefined) window.history.replaceState(null, '', address);
    else window.history.pushState(null, '', address);
  };
  return [filters, change];
}
