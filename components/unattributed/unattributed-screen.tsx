'use client';
import { CircleCheck } from 'lucide-react';
import { useState } from 'react';
import { PageNotFound } from '@/components/layout/page-not-found';
import { EmptyState } from '@/components/ui/empty-state';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHead } from '@/components/ui/page-head';
import { Pagination } from '@/components/ui/pagination';
import { Panel } from '@/components/ui/panel';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useFailureToast } from '@/components/ui/toast';
import type { UnattributedView } from '@/lib/api-schema/unattributed';
import { useSession } from '@/lib/client/session';
import { AttachDialog } from './attach-dialog';
import { useUnattributed } from './unattributed-calls';
import { UnattributedList } from './unattributed-list';

/** "Fondi non attribuiti": the operator's list of money that needs an owner. For everybody else there is no such page. */
export function UnattributedScreen() {
  const isAdmin = useSession().user?.isAdmin ?? false;
  const [wanted, setWanted] = useState(1);
  const { data, error, isFetching, refetch } = useUnattributed(wanted, isAdmin);
  useFailureToast(error, 'Impossibile caricare i fondi non attribuiti');
  const [chosen, setChosen] = useState<UnattributedView | null>(null);
  if (!isAdmin) return <PageNotFound className="py-24" />;
  // The last row of the last page may just have found its owner.
  if (data && data.items.length === 0 && wanted > 1) setWanted(1);

  return (
    <>
      <PageHead
        title="Fondi non attribuiti"
        description="Arrivati a un indirizzo di Incassa, ma su nessun wallet della loro criptovaluta."
      />
      <Panel>
        {data && data.items.length > 0 && <UnattributedList deposits={data.items} onAttach={setChosen} />}
        {data?.items.length === 0 && (
          <EmptyState icon={CircleCheck} title="Nessun fondo da attribuire">
            Ogni deposito ricevuto ha il suo wallet.
          </EmptyState>
        )}
        {!data && !error && <SkeletonRows rows={5} />}
        {!data && error && <LoadFailed isBusy={isFetching} onRetry={() => void refetch()} />}
        {data && data.total > 0 && (
          <Pagination
            page={data.page}
            pageSize={data.pageSize}
            total={data.total}
            totalPages={data.totalPages}
            noun={data.total === 1 ? 'deposito' : 'depositi'}
            onPage={setWanted}
          />
        )}
      </Panel>
      {chosen && <AttachDialog deposit={chosen} onClose={() => setChosen(null)} />}
    </>
  );
}
