import { useQuery } from '@tanstack/react-query';
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
