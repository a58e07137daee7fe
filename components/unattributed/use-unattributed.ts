import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { UnattributedList } from '@/lib/api-schema/unattributed';
import { apiFetch } from '@/lib/client/api';

/** A page of the money that needs an owner, newest first. Only an operator may ask. */
export function useUnattributed(page: number, isAdmin: boolean) {
  return useQuery({
    queryKey: ['unattributed', page],
    enabled: isAdmin,
    queryFn: ({ signal }) =>
      apiFetch('/admin/unattributed', {
        query: { page },
        schema: UnattributedList,
        fallback: 'Impossibile recuperare i fondi non attribuiti',
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}
