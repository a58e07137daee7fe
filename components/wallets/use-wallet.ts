import { useQuery } from '@tanstack/react-query';
import { WalletView } from '@/lib/api-schema/wallets';
import { apiFetch } from '@/lib/client/api';

/** One wallet of the merchant, primary or of an invoice. */
export function useWallet(id: string) {
  return useQuery({
    queryKey: ['wallet', id],
    queryFn: ({ signal }) =>
      apiFetch(`/wallets/${encodeURIComponent(id)}`, {
        schema: WalletView,
        fallback: 'Impossibile recuperare i wallet',
        signal,
      }),
  });
}
