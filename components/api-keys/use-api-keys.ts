import { useQuery } from '@tanstack/react-query';
import { apiFetch } from '@/lib/client/api';
import { ApiKeyList } from '@/lib/contract/api-keys';

/** The merchant's keys, masked. */
export function useApiKeys() {
  return useQuery({
    queryKey: ['apikeys'],
    queryFn: ({ signal }) =>
      apiFetch('/apikeys', { schema: ApiKeyList, fallback: 'Impossibile recuperare le API Keys', signal }),
  });
}
