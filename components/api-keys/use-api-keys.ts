import { useQuery } from '@tanstack/react-query';
import { ApiKeyList } from '@/lib/api-schema/api-keys';
import { apiFetch } from '@/lib/client/api';

/** The merchant's keys, masked. */
export function useApiKeys() {
  return useQuery({
    queryKey: ['apikeys'],
    queryFn: ({ signal }) =>
      apiFetch('/apikeys', { schema: ApiKeyList, fallback: 'Impossibile recuperare le API Keys', signal }),
  });
}
