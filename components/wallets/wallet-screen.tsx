'use client';
import { Wallet } from 'lucide-react';
import { useEffect } from 'react';
import { ButtonLink } from '@/components/ui/button-link';
import { EmptyState } from '@/components/ui/empty-state';
import { LoadFailed } from '@/components/ui/load-failed';
import { Skeleton } from '@/components/ui/skeleton';
import { toast, useFailureToast } from '@/components/ui/toast';
import { ApiError } from '@/lib/client/api';
import { useWallet } from './wallet-calls';
import { WalletDetails } from './wallet-details';

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

const TITLE = 'Wallet non trovato';

/** In the place of a wallet that does not exist, or is somebody else's. */
function WalletNotFound() {
  useEffect(() => {
    toast.error(TITLE);
  }, []);
  return (
    <EmptyState
      icon={Wallet}
      level={1}
      title={TITLE}
      className="py-24"
      action={
        <ButtonLink href="/wallets" variant="primary">
          Torna ai wallet
        </ButtonLink>
      }
    >
      Il wallet richiesto non esiste o non hai i permessi per visualizzarlo.
    </EmptyState>
  );
}
