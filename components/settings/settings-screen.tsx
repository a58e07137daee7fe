'use client';
import { LoadFailed } from '@/components/ui/load-failed';
import { PageHead } from '@/components/ui/page-head';
import { Skeleton } from '@/components/ui/skeleton';
import { useFailureToast } from '@/components/ui/toast';
import { usePaymentRules } from './payment-rules-calls';
import { PaymentRulesPanel } from './payment-rules-panel';

/** "Impostazioni" of the merchant. */
export function SettingsScreen() {
  const { data, error, isFetching, refetch } = usePaymentRules();
  useFailureToast(error, 'Impossibile caricare le impostazioni');
  return (
    <>
      <PageHead title="Impostazioni" description="Come trattare i pagamenti che non arrivano esatti o in tempo." />
      {data && <PaymentRulesPanel rules={data} />}
      {!data && error && <LoadFailed isBusy={isFetching} onRetry={() => void refetch()} />}
      {!data && !error && (
        <div role="status">
          <span className="sr-only">Caricamento...</span>
          <Skeleton className="h-90 max-w-176 rounded-lg" />
        </div>
      )}
    </>
  );
}
