import { useQuery } from '@tanstack/react-query';
import { TransactionList } from '@/lib/api-schema/wallets';
import { apiFetch } from '@/lib/client/api';

/**
 * Transactions of a wallet, newest first.
 * @param walletId uuid; null asks for nothing
 * @param refreshMs how often to ask again; false for once
 */
export function useTransactions(walletId: string | null, refreshMs: number | false) {
  return useQuery({
    queryKey: ['transactions', walletId],
    enabled: walletId !== null,
    queryFn: ({ signal }) =>
      apiFetch(`/wallets/${walletId}/transactions`, {
        schema: TransactionList,
        fallback: 'Impossibile recuperare le transazioni',
        signal,
      }),
    refetchInterval: refreshMs,
  });
}
