import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { WalletView } from '@/lib/api-schema/wallets';
import { apiFetch } from '@/lib/client/api';
import { errorMessage } from '@/lib/client/error-message';
import type { Coin } from '@/lib/shared/coins';

const FAILURE = 'Impossibile creare il wallet';

/** Creates the primary wallet of a coin. */
export function useCreateWallet() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (coin: Coin) =>
      apiFetch('/wallets/create-primary', {
        method: 'POST',
        body: { cryptoType: coin },
        schema: WalletView,
        fallback: FAILURE,
      }),
    onSuccess: async (wallet) => {
      await client.invalidateQueries({ queryKey: ['wallets'] });
      toast.success(`Wallet ${wallet.cryptoType} creato`);
    },
    onError: (error) => {
      const reason = errorMessage(error, FAILURE);
      toast.error(FAILURE, { description: reason === FAILURE ? undefined : reason });
      // Somebody may have created it in another tab.
      void client.invalidateQueries({ queryKey: ['wallets'] });
    },
  });
}
