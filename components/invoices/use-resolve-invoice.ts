import { useMutation, useQueryClient } from '@tanstack/react-query';
import { InvoiceDetailView, type ResolveInvoiceBody } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { rememberInvoice } from './remember-invoice';

export const RESOLVE_FAILURE = 'Impossibile salvare la decisione';

/** Tells the server what the merchant decided on money that does not fit, or what there is to note. */
export function useResolveInvoice(uuid: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (body: ResolveInvoiceBody) =>
      apiFetch(`/invoices/${uuid}/resolve`, {
        method: 'PUT',
        body,
        schema: InvoiceDetailView,
        fallback: RESOLVE_FAILURE,
      }),
    onSuccess: (invoice) => rememberInvoice(client, invoice),
  });
}
