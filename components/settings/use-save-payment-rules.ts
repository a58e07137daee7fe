import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { PaymentRules } from '@/lib/api-schema/payment-rules';
import { apiFetch } from '@/lib/client/api';

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
