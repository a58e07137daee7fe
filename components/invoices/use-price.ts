import { useQuery } from '@tanstack/react-query';
import { PriceView } from '@/lib/api-schema/prices';
import { apiFetch } from '@/lib/client/api';
import type { Coin } from '@/lib/shared/coins';

const REFRESH_MS = 30_000;

/** EUR per coin now, as decimal text; null while unknown. */
export function usePrice(coin: Coin | null): string | null {
  const { data } = useQuery({
    queryKey: ['price', coin],
    enabled: coin !== null,
    queryFn: ({ signal }) =>
      apiFetch('/crypto/price', {
        query: { symbol: coin ?? undefined, currency: 'EUR' },
        schema: PriceView,
        fallback: 'Tasso di cambio non disponibile',
        signal,
      }),
    refetchInterval: REFRESH_MS,
  });
  return coin !== null && data?.symbol === coin ? data.price : null;
}
