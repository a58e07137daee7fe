'use client';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { ButtonLink } from '@/components/ui/button-link';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHead } from '@/components/ui/page-head';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { SkeletonRows } from '@/components/ui/skeleton-rows';
import { useFailureToast } from '@/components/ui/use-failure-toast';
import { INVOICE_PAGE_SIZE } from '@/lib/shared/limits';
import { InvoiceList } from './invoice-list';
import { InvoiceToolbar } from './invoice-toolbar';
import { NoInvoices } from './no-invoices';
import { useInvoiceFilters } from './use-invoice-filters';
import { useInvoices } from './use-invoices';

const FAILURE = 'Impossibile caricare le fatture. Riprova più tardi.';

/** The merchant's invoices: search, filters, pages. */
export function InvoicesScreen() {
  const [filters, change] = useInvoiceFilters();
  const { data, error, refetch, isFetching } = useInvoices(filters);
  useFailureToast(error, FAILURE);
  const [resets, setResets] = useState(0);
  const isFiltered = Boolean(filters.searchKeyword || filters.status || filters.cryptoType);

  return (
    <>
      <PageHead
        title="Fatture"
        description={data ? count(data.total, isFiltered) : 'Quelle create a mano e dal tuo negozio.'}
        actions={
          <ButtonLink href="/invoices/create" variant="primary" icon={Plus}>
            Nuova Fattura
          </ButtonLink>
        }
      />
      <Panel>
        <InvoiceToolbar
          key={resets}
          // After a reset the address may still hold the old keyword for a moment.
          initialKeyword={resets === 0 ? filters.searchKeyword : ''}
          filters={filters}
          onChange={change}
        />
        {data && data.items.length > 0 && <InvoiceList invoices={data.items} />}
        {!data && !error && <SkeletonRows rows={INVOICE_PAGE_SIZE} />}
        {data?.items.length === 0 && (
          <NoInvoices
            isFiltered={isFiltered || filters.page > 1}
            onReset={() => {
              change({ searchKeyword: '', status: null, cryptoType: null });
              setResets(resets + 1);
            }}
          />
        )}
        {!data && error && <LoadFailed isBusy={isFetching} onRetry={() => void refetch()} />}
        {data && data.total > 0 && (
          <Pagination
            page={filters.page}
            pageSize={data.pageSize}
            total={data.total}
            totalPages={data.totalPages}
            noun={data.total === 1 ? 'fattura' : 'fatture'}
            onPage={(page) => change({ page })}
          />
        )}
      </Panel>
    </>
  );
}

function count(total: number, isFiltered: boolean): string {
  const noun = total === 1 ? 'fattura' : 'fatture';
  return isFiltered ? `${total} ${noun} con questi filtri` : `${total} ${noun} in tutto`;
}
