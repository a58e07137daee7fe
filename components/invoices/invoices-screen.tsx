'use client';
import { Plus, ReceiptText } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHead } from '@/components/ui/page-head';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useFailureToast } from '@/components/ui/toast';
import { INVOICE_PAGE_SIZE } from '@/lib/shared/limits';
import { useInvoices } from './invoice-calls';
import { useInvoiceFilters } from './invoice-filters';
import { InvoiceList } from './invoice-list';
import { InvoiceToolbar } from './invoice-toolbar';

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

interface NoInvoicesProps {
  isFiltered: boolean;
  onReset: () => void;
}

/** An empty list: none at all, or none that fits the filters. */
function NoInvoices({ isFiltered, onReset }: NoInvoicesProps) {
  if (isFiltered) {
    return (
      <EmptyState
        icon={ReceiptText}
        title="Nessuna fattura trovata"
        action={<Button onClick={onReset}>Togli i filtri</Button>}
      >
        Nessuna fattura corrisponde alla ricerca.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={ReceiptText}
      title="Ancora nessuna fattura"
      action={
        <ButtonLink href="/invoices/create" icon={Plus}>
          Nuova Fattura
        </ButtonLink>
      }
    >
      Crea la prima: scegli il prezzo in euro, il cliente paga in crypto.
    </EmptyState>
  );
}
