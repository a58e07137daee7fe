import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast, toastFailure } from '@/components/ui/toast';
import { HealthView } from '@/lib/api-schema/health';
import { TransactionList, WalletBalanceView, WalletList, WalletView } from '@/lib/api-schema/wallets';
import { apiFetch } from '@/lib/client/api';
import type { Coin } from '@/lib/shared/coins';

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

const BALANCE_FAILURE = 'Impossibile aggiornare il saldo';

/** Reads a wallet's balance again and shows it; its transactions too. */
export function useRefreshBalance(id: string, walletUuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () =>
      apiFetch(`/wallets/${walletUuid}/balance`, { schema: WalletBalanceView, fallback: BALANCE_FAILURE }),
    onSuccess: async (balance) => {
      client.setQueryData<WalletView>(['wallet', id], (wallet) => wallet && { ...wallet, ...balance });
      await client.invalidateQueries({ queryKey: ['transactions', walletUuid] });
    },
    onError: (error) => toastFailure(error, BALANCE_FAILURE),
  });
}

const CREATE_FAILURE = 'Impossibile creare il wallet';

/** Creates the primary wallet of a coin. */
export function useCreateWallet() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (coin: Coin) =>
      apiFetch('/wallets/create-primary', {
        method: 'POST',
        body: { cryptoType: coin },
        schema: WalletView,
        fallback: CREATE_FAILURE,
      }),
    onSuccess: async (wallet) => {
      await client.invalidateQueries({ queryKey: ['wallets'] });
      toast.success(`Wallet ${wallet.cryptoType} creato`);
    },
    onError: (error) => {
      toastFailure(error, CREATE_FAILURE);
      // Somebody may have created it in another tab.
      void client.invalidateQueries({ queryKey: ['wallets'] });
    },
  });
}

/** Coins that this instance serves; null while unknown. */
export function useEnabledCoins(): readonly Coin[] | null {
  const { data } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) =>
      apiFetch('/health', { auth: 'none', schema: HealthView, fallback: 'Stato del server non disponibile', signal }),
  });
  return data ? data.coins.map(({ coin }) => coin) : null;
}
