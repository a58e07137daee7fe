import { usePathname, useSearchParams } from 'next/navigation';
import { type InvoiceFilters, readFilters, writeFilters } from './invoice-filters';

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
