import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { type InvoiceView, PaymentStatusView } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { shortUuid } from '@/lib/shared/format';
import { rememberInvoice } from './remember-invoice';

export const FORCE_FAILURE = 'Impossibile forzare il pagamento';

/** Marks an invoice as paid by hand. */
export function useForcePayment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invoice: InvoiceView) =>
      apiFetch(`/invoices/${invoice.uuid}/force-payment`, {
        method: 'PUT',
        schema: PaymentStatusView,
        fallback: FORCE_FAILURE,
      }),
    onSuccess: ({ updatedInvoice }) => {
      rememberInvoice(client, updatedInvoice);
      toast.success('Fattura segnata come pagata', { description: `Fattura ${shortUuid(updatedInvoice.uuid)}` });
    },
  });
}
