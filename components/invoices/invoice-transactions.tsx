'use client';
import { RefreshCw } from 'lucide-react';
import { Button } from '@/components/ui/button';
import { Panel } from '@/components/ui/panel';
import { SkeletonRows } from '@/components/ui/skeleton';
import { useTransactions } from '@/components/wallets/wallet-calls';
import type { InvoiceView } from '@/lib/api-schema/invoices';
import { PAYMENT_POLL_MS } from '@/lib/shared/limits';
import { TransactionList } from './transaction-list';

/** "Transazioni" of the invoice's wallet, with their count. */
export function InvoiceTransactions({ invoice }: { invoice: InvoiceView }) {
  const { wallet } = invoice;
  const refreshMs = invoice.status === 'pending' ? PAYMENT_POLL_MS : false;
  const { data, error, isLoading, isFetching, refetch } = useTransactions(wallet?.uuid ?? null, refreshMs);
  const transactions = data?.items ?? [];
  return (
    <Panel
      className="mt-4"
      title={
        <>
          Transazioni <span className="font-medium text-ink-3">{transactions.length}</span>
        </>
      }
      action={
        wallet && (
          <Button variant="ghost" size="sm" icon={RefreshCw} busy={isFetching} onClick={() => void refetch()}>
            Aggiorna
          </Button>
        )
      }
    >
      {isLoading && <SkeletonRows rows={2} />}
      {wallet && transactions.length > 0 && <TransactionList coin={wallet.cryptoType} transactions={transactions} />}
      {!isLoading && transactions.length === 0 && (
        <p className="border-t border-line px-4 py-6 text-ink-2 md:px-5">
          {error ? 'Impossibile recuperare le transazioni. Riprova.' : 'Nessuna transazione trovata per questo wallet'}
        </p>
      )}
    </Panel>
  );
}
