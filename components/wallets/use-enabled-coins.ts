import { useQuery } from '@tanstack/react-query';
import { HealthView } from '@/lib/api-schema/health';
import { apiFetch } from '@/lib/client/api';
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
