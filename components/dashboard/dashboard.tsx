'use client';
import { useQuery } from '@tanstack/react-query';
import { Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ButtonLink } from '@/components/ui/button-link';
import { EurAmount } from '@/components/ui/eur-amount';
import { PageHead } from '@/components/ui/page-head';
import { Skeleton } from '@/components/ui/skeleton';
import { toastFailure, useFailureToast } from '@/components/ui/toast';
import { usePrimaryWallets } from '@/components/wallets/wallet-calls';
import { InvoiceList } from '@/lib/api-schema/invoices';
import type { WalletView } from '@/lib/api-schema/wallets';
import { apiFetch } from '@/lib/client/api';
import { RECENT_INVOICES } from '@/lib/shared/limits';
import { InvoiceSection } from './invoice-section';
import { ShareBar } from './share-bar';
import { totalValue } from './total-value';
import { WalletSection } from './wallet-section';

const WALLETS_FAILED = 'Impossibile caricare i wallet. Riprova più tardi.';
const INVOICES_FAILED = 'Impossibile caricare le fatture. Riprova più tardi.';
const TODAY = new Intl.DateTimeFormat('it-IT', { dateStyle: 'full', timeZone: 'Europe/Rome' });

/** What the merchant owns and the latest invoices, on one ruled sheet. */
export function Dashboard() {
  const wallets = usePrimaryWallets();
  const invoices = useRecentInvoices();
  const [refreshing, setRefreshing] = useState(false);
  useFailureToast(wallets.error, WALLETS_FAILED);
  useFailureToast(invoices.error, INVOICES_FAILED);

  const refresh = async () => {
    setRefreshing(true);
    const [walletsAgain, invoicesAgain] = await Promise.all([wallets.refetch(), invoices.refetch()]);
    // What failed before and fails again must be said again: a person has asked.
    if (wallets.isError && walletsAgain.isError) toastFailure(walletsAgain.error, WALLETS_FAILED);
    if (invoices.isError && invoicesAgain.isError) toastFailure(invoicesAgain.error, INVOICES_FAILED);
    setRefreshing(false);
  };

  return (
    <>
      <PageHead
        title="Dashboard"
        description={<span className="first-letter:uppercase inline-block">{TODAY.format(new Date())}</span>}
        actions={
          <>
            <Button icon={RefreshCw} busy={refreshing} onClick={refresh}>
              Aggiorna
            </Button>
            <ButtonLink href="/invoices/create" variant="primary" icon={Plus} className="grow-2!">
              Nuova Fattura
            </ButtonLink>
          </>
        }
      />
      <div className="overflow-clip rounded-lg border border-line bg-surface">
        <TotalSection wallets={wallets.data?.items} failed={wallets.isError} />
        <div className="grid border-t border-line lg:grid-cols-[minmax(0,5fr)_minmax(0,7fr)]">
          <WalletSection wallets={wallets.data?.items} failed={wallets.isError} />
          <InvoiceSection invoices={invoices.data?.items} failed={invoices.isError} />
        </div>
      </div>
    </>
  );
}

function TotalSection({ wallets, failed }: { wallets: readonly WalletView[] | undefined; failed: boolean }) {
  const total = wallets && totalValue(wallets);
  return (
    <section aria-labelledby="total-value" className="px-4 py-4.5 md:px-5 md:py-5">
      <h2 id="total-value" className="text-sm font-medium tracking-normal text-ink-2">
        Valore totale
      </h2>
      <p className="mt-0.5 min-h-11">
        {total || failed ? (
          <EurAmount value={total?.euro ?? null} size="3xl" />
        ) : (
          <Skeleton className="mt-1 inline-block h-9 w-48" />
        )}
      </p>
      {total && total.shares.length > 0 && (
        <div className="mt-4">
          <ShareBar shares={total.shares} />
        </div>
      )}
    </section>
  );
}

const REFRESH_MS = 15_000;

/** The merchant's latest five invoices, fetched again every 15 s while the page is looked at. */
function useRecentInvoices() {
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
