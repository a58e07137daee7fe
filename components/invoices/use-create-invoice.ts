import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { toast } from '@/components/ui/toast';
import { type CreateInvoiceInput, InvoiceView } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { errorMessage } from '@/lib/client/error-message';
import { useSession } from '@/lib/client/use-session';

const DEFAULT_TEXT = 'Impossibile creare la fattura';

/** Creates an invoice for the signed-in merchant and goes to it. */
export function useCreateInvoice() {
  const client = useQueryClient();
  const router = useRouter();
  const { user } = useSession();
  return useMutation({
    mutationFn: (body: CreateInvoiceInput) =>
      apiFetch('/invoices', {
        method: 'POST',
        body: { ...body, userId: user?.id },
        schema: InvoiceView,
        fallback: DEFAULT_TEXT,
      }),
    onSuccess: (invoice) => {
      void client.invalidateQueries({ queryKey: ['invoices'] });
      router.push(`/invoices/${invoice.uuid}`);
    },
    onError: (error) =>
      toast.error('Errore durante la creazione della fattura', { description: errorMessage(error, DEFAULT_TEXT) }),
  });
}
