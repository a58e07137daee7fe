'use client';
import { useEffect } from 'react';
import { LoadFailed } from '@/components/ui/load-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { ApiError } from '@/lib/client/api-error';
import { logFailure } from '@/lib/client/log-failure';
import { InvoiceDetails } from './invoice-details';
import { InvoiceNotFound } from './invoice-not-found';
import { useInvoice } from './use-invoice';

/** Codes with which the API says that there is no such invoice, also for an id that cannot be one. */
const MISSING = [404, 422];

/** "Dettagli Fattura": one invoice, or why it is not there. Load errors are only logged (spec section 8). */
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
