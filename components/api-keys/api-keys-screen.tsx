'use client';
import { KeyRound, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '@/components/ui/button';
import { ConfirmDialog } from '@/components/ui/dialog';
import { EmptyState } from '@/components/ui/empty-state';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHead } from '@/components/ui/page-head';
import { Pagination } from '@/components/ui/pagination';
import { Skeleton } from '@/components/ui/skeleton';
import { useFailureToast } from '@/components/ui/toast';
import type { ApiKeyView } from '@/lib/api-schema/api-keys';
import { ApiHelp } from './api-help';
import { useApiKeys, useDeactivateApiKey } from './api-key-calls';
import { ApiKeyCard } from './api-key-card';
import { ApiKeyDialog } from './api-key-dialog';

/** What the screen remembers of keys that were made on it, until it is left. */
type Fresh = Record<number, { key: string; secret: string }>;

/** "API Keys": the merchant's keys and how to use them. */
export function ApiKeysScreen() {
  const [page, setPage] = useState(1);
  const { data, error, isFetching, refetch } = useApiKeys(page);
  useFailureToast(error, 'Impossibile caricare le API keys');
  const [isRefreshing, setIsRefreshing] = useState(false);
  const [fresh, setFresh] = useState<Fresh>({});
  const [edited, setEdited] = useState<ApiKeyView | 'new' | null>(null);
  const [doomed, setDoomed] = useState<ApiKeyView | null>(null);
  const deactivate = useDeactivateApiKey();

  const refresh = async () => {
    setIsRefreshing(true);
    await refetch();
    setIsRefreshing(false);
  };
  const newKey = (variant: 'primary' | 'secondary') => (
    <Button variant={variant} icon={Plus} aria-haspopup="dialog" onClick={() => setEdited('new')}>
      Nuova API Key
    </Button>
  );

  return (
    <>
      <PageHead
        title="API Keys"
        description="Crea fatture dal tuo negozio online e ricevi gli aggiornamenti di stato."
        actions={
          <>
            <Button icon={RefreshCw} busy={isRefreshing} onClick={refresh}>
              Aggiorna
            </Button>
            {newKey('primary')}
          </>
        }
      />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21.5rem]">
        <div className="grid min-w-0 grid-cols-1 gap-4">
          {!data && !error && <CardSkeletons />}
          {!data && error && <LoadFailed isBusy={isFetching} onRetry={() => void refetch()} />}
          {data?.items.length === 0 && (
            <div className="rounded-lg border border-line bg-surface">
              <EmptyState icon={KeyRound} title="Nessuna API Key trovata" action={newKey('secondary')}>
                Con una chiave il tuo negozio online crea le fatture da solo.
              </EmptyState>
            </div>
          )}
          {data?.items.map((apiKey) => (
            <ApiKeyCard
              key={apiKey.id}
              apiKey={apiKey}
              fresh={fresh[apiKey.id] ?? null}
              onEdit={() => setEdited(apiKey)}
              onDeactivate={() => setDoomed(apiKey)}
            />
          ))}
          {data && data.totalPages > 1 && (
            <div className="rounded-lg border border-line bg-surface">
              <Pagination
                page={data.page}
                pageSize={data.pageSize}
                total={data.total}
                totalPages={data.totalPages}
                noun="chiavi"
                onPage={setPage}
              />
            </div>
          )}
        </div>
        <ApiHelp />
      </div>
      {edited && (
        <ApiKeyDialog
          apiKey={edited === 'new' ? null : edited}
          onClose={() => setEdited(null)}
          onCreated={({ id, key, secret }) => {
            setFresh({ ...fresh, [id]: { key, secret } });
            setPage(1);
          }}
        />
      )}
      <ConfirmDialog
        open={doomed !== null}
        onClose={() => setDoomed(null)}
        onConfirm={() => doomed && deactivate.mutate(doomed.id, { onSettled: () => setDoomed(null) })}
        title={`Disattivare «${doomed?.name ?? ''}»?`}
        text="Sei sicuro di voler disattivare questa API Key? Questa azione non può essere annullata."
        confirmLabel="Disattiva"
        busy={deactivate.isPending}
      />
    </>
  );
}

function CardSkeletons() {
  return (
    <div role="status" className="grid gap-4">
      <span className="sr-only">Caricamento...</span>
      <Skeleton className="h-60 rounded-lg" />
      <Skeleton className="h-60 rounded-lg" />
    </div>
  );
}
