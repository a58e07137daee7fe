'use client';
import { RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHead } from '@/components/ui/page-head';
import { Skeleton } from '@/components/ui/skeleton';
import { useFailureToast } from '@/components/ui/toast';
import { COINS } from '@/lib/shared/coins';
import { CreateWallets } from './create-wallets';
import { usePrimaryWallets } from './wallet-calls';
import { WalletCard } from './wallet-card';
import { WalletDialog } from './wallet-dialog';

/** "I miei Wallet": one primary wallet per coin, and the coins that are still missing. */
export function WalletsScreen() {
  const { data, error, isFetching, refetch } = usePrimaryWallets();
  const [isRefreshing, setIsRefreshing] = useState(false);
  const [shown, setShown] = useState<string | null>(null);
  useFailureToast(error, 'Impossibile caricare i wallet. Riprova più tardi.');

  const wallets = data?.items;
  const refresh = async () => {
    setIsRefreshing(true);
    await refetch();
    setIsRefreshing(false);
  };
  return (
    <>
      <PageHead
        title="I miei Wallet"
        description="Un wallet principale per ogni moneta che incassi."
        actions={
          <Button icon={RefreshCw} busy={isRefreshing} onClick={refresh}>
            Aggiorna Saldi
          </Button>
        }
      />
      {!wallets && !error && <CardSkeletons />}
      {!wallets && error && <LoadFailed isBusy={isFetching} onRetry={() => void refetch()} />}
      {wallets && wallets.length > 0 && (
        <div className="grid gap-4 lg:grid-cols-2">
          {wallets.map((wallet) => (
            <WalletCard key={wallet.uuid} wallet={wallet} onReceive={() => setShown(wallet.uuid)} />
          ))}
        </div>
      )}
      {wallets && (
        <CreateWallets missing={COINS.filter((coin) => !wallets.some((wallet) => wallet.cryptoType === coin))} />
      )}
      <WalletDialog wallet={wallets?.find((wallet) => wallet.uuid === shown) ?? null} onClose={() => setShown(null)} />
    </>
  );
}

function CardSkeletons() {
  return (
    <div role="status" className="grid gap-4 lg:grid-cols-2">
      <span className="sr-only">Caricamento...</span>
      <Skeleton className="h-54 rounded-lg" />
      <Skeleton className="h-54 rounded-lg" />
    </div>
  );
}
