import { useQuery } from '@tanstack/react-query';
import { WalletList } from '@/lib/api-schema/wallets';
import { apiFetch } from './api';

const REFRESH_MS = 15_000;

/** The merchant's primary wallets with their balances, fetched again every 15 s while the page is looked at. */
export function usePrimaryWallets() {
  return useQuery({
    queryKey: ['wallets'],
    queryFn: ({ signal }) =>
      apiFetch('/wallets', {
        query: { type: 'primary' },
        schema: WalletList,
        fallback: 'Impossibile recuperare i wallet',
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });
}
