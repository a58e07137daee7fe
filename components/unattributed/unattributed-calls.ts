import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { toast } from '@/components/ui/toast';
import { type AttachDepositBody, AttachDepositView, UnattributedList } from '@/lib/api-schema/unattributed';
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

export const ATTACH_FAILURE = 'Impossibile attribuire i fondi';

/** Gives a deposit to a wallet or an invoice. */
export function useAttachDeposit(depositId: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: z.input<typeof AttachDepositBody>) =>
      apiFetch(`/admin/unattributed/${depositId}/attach`, {
        method: 'POST',
        body,
        schema: AttachDepositView,
        fallback: ATTACH_FAILURE,
      }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['unattributed'] });
      toast.success('Fondi attribuiti');
    },
  });
}
