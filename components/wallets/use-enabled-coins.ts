import { useQuery } from '@tanstack/react-query';
import { apiFetch } from '@/lib/client/api';
import { HealthView } from '@/lib/contract/health';
import type { Coin } from '@/lib/shared/coins';

/** Coins that this instance serves; null while unknown. */
export function useEnabledCoins(): readonly Coin[] | null {
  const { data } = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) =>
      apiFetch('/health', { auth: 'none', schema: HealthView, fallback: 'Stato del server non disponibile', signal }),
  });
  return data ? data.coins.map(({ coin }) => coin) : null;
}
