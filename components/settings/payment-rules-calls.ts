import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { PaymentRules } from '@/lib/api-schema/payment-rules';
import { apiFetch } from '@/lib/client/api';

/** How the merchant takes payments that do not fit to the letter. */
export function usePaymentRules() {
  return useQuery({
    queryKey: ['payment-rules'],
    queryFn: ({ signal }) =>
      apiFetch('/settings/payments', {
        schema: PaymentRules,
        fallback: 'Impossibile recuperare le impostazioni',
        signal,
      }),
  });
}

export const SAVE_FAILURE = 'Impossibile salvare le impostazioni';

/** Stores the merchant's payment rules. */
export function useSavePaymentRules() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: PaymentRules) =>
      apiFetch('/settings/payments', { method: 'PUT', body, schema: PaymentRules, fallback: SAVE_FAILURE }),
    onSuccess: (rules) => {
      client.setQueryData(['payment-rules'], rules);
      toast.success('Impostazioni salvate');
    },
  });
}
