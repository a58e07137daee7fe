import { useMutation, useQueryClient } from '@tanstack/react-query';
import { toast } from '@/components/ui/toast';
import { type InvoiceView, PaymentStatusView } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { errorMessage } from '@/lib/client/error-message';
import { shortUuid } from '@/lib/shared/format';
import { rememberInvoice } from './remember-invoice';

const TITLE = 'Impossibile verificare lo stato del pagamento.';

/** The merchant's check button: asks the server to look again, shows what it found everywhere, and says so. */
export function useCheckPayment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invoice: InvoiceView) =>
      apiFetch(`/invoices/${invoice.uuid}/check-payment`, {
        method: 'PUT',
        schema: PaymentStatusView,
        fallback: TITLE,
      }),
    onSuccess: ({ updatedInvoice }) => {
      rememberInvoice(client, updatedInvoice);
      announce(updatedInvoice);
    },
    onError: (error) => {
      const reason = errorMessage(error, TITLE);
      toast.error(TITLE, { description: reason === TITLE ? undefined : reason });
    },
  });
}

function announce(invoice: InvoiceView): void {
  const description = `Fattura ${shortUuid(invoice.uuid)}`;
  if (invoice.status === 'paid' || invoice.status === 'forcePaid') toast.success('Pagamento ricevuto', { description });
  else if (invoice.status === 'expired') toast.info('La fattura è scaduta', { description });
  else toast.info(PENDING_TEXT[invoice.paymentState], { description });
}

const PENDING_TEXT: Record<InvoiceView['paymentState'], string> = {
  unpaid: 'Nessun pagamento ricevuto finora',
  late: 'Nessun pagamento ricevuto in tempo',
  partial: 'Ricevuta una parte del pagamento',
  seen: 'Pagamento visto, in attesa di conferme',
  confirming: 'Pagamento visto, in attesa di conferme',
  settled: 'Pagamento visto, in attesa di conferme',
  overpaid: 'Pagamento visto, in attesa di conferme',
  reversed: 'La rete ha annullato il pagamento: in attesa che torni',
};
