'use client';
import { LoadFailed } from '@/components/ui/load-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { useFailureToast } from '@/components/ui/use-failure-toast';
import { ApiError } from '@/lib/client/api-error';
import { useWallet } from './use-wallet';
import { WalletDetails } from './wallet-details';
import { WalletNotFound } from './wallet-not-found';

/** Codes with which the API says that there is no such wallet, also for an id that cannot be one. */
const MISSING = [404, 422];

/** One wallet, or why it is not there. */
export function WalletScreen({ id }: { id: string }) {
  const { data, error, isFetching, refetch } = useWallet(id);
  const isMissing = error instanceof ApiError && MISSING.includes(error.status);
  useFailureToast(isMissing ? null : error, 'Impossibile caricare i wallet. Riprova più tardi.');

  if (isMissing) return <WalletNotFound />;
  if (data) return <WalletDetails id={id} wallet={data} />;
  if (error) return <LoadFailed isBusy={isFetching} onRetry={() => void refetch()} />;
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Caricamento...</span>
      <Skeleton className="h-12 w-72 max-w-full" />
      <Skeleton className="h-66 w-full rounded-lg" />
    </div>
  );
}
