'use client';
import { FileX2 } from 'lucide-react';
import { useEffect } from 'react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { LoadFailed } from '@/components/ui/load-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { ApiError } from '@/lib/client/api';
import { logFailure } from '@/lib/client/log-failure';
import { useInvoice } from './invoice-calls';
import { InvoiceDetails } from './invoice-details';

/** Codes with which the API says that there is no such invoice, also for an id that cannot be one. */
const MISSING = [404, 422];

/** "Dettagli Fattura": one invoice, or why it is not there. Load errors are logged, not notified: the screen itself says that it is empty. */
export function InvoiceScreen({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useInvoice(id);
  const isMissing = error instanceof ApiError && MISSING.includes(error.status);
  useEffect(() => {
    if (error && !isMissing) logFailure('invoice', error);
  }, [error, isMissing]);

  if (isMissing) return <InvoiceNotFound />;
  if (data) return <InvoiceDetails invoice={data} />;
  if (error) return <LoadFailed isBusy={isFetching} onRetry={() => void refetch()} />;
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Caricamento...</span>
      <Skeleton className="h-12 w-72 max-w-full" />
      <Skeleton className="h-21 w-full rounded-lg" />
      <Skeleton className="h-90 w-full rounded-lg" />
    </div>
  );
}

/** In the place of an invoice that does not exist, or is somebody else's. */
function InvoiceNotFound() {
  return (
    <EmptyState
      icon={FileX2}
      level={1}
      title="Fattura non trovata"
      className="py-24"
      action={
        <ButtonLink href="/invoices" variant="primary">
          Torna alle fatture
        </ButtonLink>
      }
    >
      La fattura richiesta non esiste o non hai i permessi per visualizzarla.
    </EmptyState>
  );
}
