import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { WalletBalanceView, type WalletView } from '@/lib/api-schema/wallets';
import { apiFetch } from '@/lib/client/api';
import { errorMessage } from '@/lib/client/error-message';

const FAILURE = 'Impossibile aggiornare il saldo';

/** Reads a wallet's balance again and shows it; its transactions too. */
export function useRefreshBalance(id: string, walletUuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => apiFetch(`/wallets/${walletUuid}/balance`, { schema: WalletBalanceView, fallback: FAILURE }),
    onSuccess: async (balance) => {
      client.setQueryData<WalletView>(['wallet', id], (wallet) => wallet && { ...wallet, ...balance });
      await client.invalidateQueries({ queryKey: ['transactions', walletUuid] });
    },
    onError: (error) => {
      const reason = errorMessage(error, FAILURE);
      toast.error(FAILURE, { description: reason === FAILURE ? undefined : reason });
    },
  });
}
