import { keepPreviousData, type QueryClient, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from 'next/navigation';
import { toast, toastFailure } from '@/components/ui/toast';
import {
  type CreateInvoiceInput,
  InvoiceDetailView,
  InvoiceList,
  InvoiceView,
  PaymentStatusView,
  type ResolveInvoiceBody,
} from '@/lib/api-schema/invoices';
import { PriceView } from '@/lib/api-schema/prices';
import { apiFetch, errorMessage } from '@/lib/client/api';
import { useSession } from '@/lib/client/session';
import type { Coin } from '@/lib/shared/coins';
import { shortUuid } from '@/lib/shared/format';
import { isPaidStatus, type PaymentState } from '@/lib/shared/invoice-status';
import { INVOICE_PAGE_SIZE, PAYMENT_POLL_MS } from '@/lib/shared/limits';
import type { InvoiceFilters } from './invoice-filters';

/** A page of the merchant's invoices, newest first; the last answer stays while the next one loads. */
export function useInvoices({ searchKeyword, status, cryptoType, page }: InvoiceFilters) {
  const query = {
    page,
    pageSize: INVOICE_PAGE_SIZE,
    orderBy: 'id',
    orderType: 'DESC',
    searchKeyword: searchKeyword || undefined,
    status: status ?? undefined,
    cryptoType: cryptoType ?? undefined,
  };
  return useQuery({
    queryKey: ['invoices', query],
    queryFn: ({ signal }) =>
      apiFetch('/invoices', {
        query,
        schema: InvoiceList,
        fallback: 'Impossibile recuperare le fatture',
        signal,
      }),
    placeholderData: keepPreviousData,
  });
}

/** One invoice of the merchant; while it is pending, or money on it waits for confirmations, it is read again every 15 s. */
export function useInvoice(id: string) {
  return useQuery({
    queryKey: ['invoice', id],
    queryFn: ({ signal }) =>
      apiFetch(`/invoices/${encodeURIComponent(id)}`, {
        schema: InvoiceDetailView,
        fallback: 'Impossibile recuperare la fattura',
        signal,
      }),
    refetchInterval: ({ state }) => (isMoving(state.data) ? PAYMENT_POLL_MS : false),
  });
}

function isMoving(invoice: InvoiceDetailView | undefined): boolean {
  if (!invoice) return false;
  return invoice.status === 'pending' || invoice.payments.some(({ status }) => status === 'unconfirmed');
}

const CREATE_FAILURE = 'Impossibile creare la fattura';

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
        fallback: CREATE_FAILURE,
      }),
    onSuccess: (invoice) => {
      void client.invalidateQueries({ queryKey: ['invoices'] });
      router.push(`/invoices/${invoice.uuid}`);
    },
    onError: (error) =>
      toast.error('Errore durante la creazione della fattura', { description: errorMessage(error, CREATE_FAILURE) }),
  });
}

const PRICE_REFRESH_MS = 30_000;

/** EUR per coin now, as decimal text; null while unknown. */
export function usePrice(coin: Coin | null): string | null {
  const { data } = useQuery({
    queryKey: ['price', coin],
    enabled: coin !== null,
    queryFn: ({ signal }) =>
      apiFetch('/crypto/price', {
        query: { symbol: coin ?? undefined, currency: 'EUR' },
        schema: PriceView,
        fallback: 'Tasso di cambio non disponibile',
        signal,
      }),
    refetchInterval: PRICE_REFRESH_MS,
  });
  return coin !== null && data?.symbol === coin ? data.price : null;
}

const CHECK_FAILURE = 'Impossibile verificare lo stato del pagamento.';

/** The merchant's check button: asks the server to look again, shows what it found everywhere, and says so. */
export function useCheckPayment() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (invoice: InvoiceView) =>
      apiFetch(`/invoices/${invoice.uuid}/check-payment`, {
        method: 'PUT',
        schema: PaymentStatusView,
        fallback: CHECK_FAILURE,
      }),
    onSuccess: ({ updatedInvoice }) => {
      rememberInvoice(client, updatedInvoice);
      announce(updatedInvoice);
    },
    onError: (error) => toastFailure(error, CHECK_FAILURE),
  });
}

function announce(invoice: InvoiceView): void {
  const description = `Fattura ${shortUuid(invoice.uuid)}`;
  if (isPaidStatus(invoice.status)) toast.success('Pagamento ricevuto', { description });
  else if (invoice.status === 'expired') toast.info('La fattura è scaduta', { description });
  else toast.info(PENDING_TEXT[invoice.paymentState], { description });
}

const PENDING_TEXT: Record<PaymentState, string> = {
  unpaid: 'Nessun pagamento ricevuto finora',
  late: 'Nessun pagamento ricevuto in tempo',
  partial: 'Ricevuta una parte del pagamento',
  seen: 'Pagamento visto, in attesa di conferme',
  confirming: 'Pagamento visto, in attesa di conferme',
  settled: 'Pagamento visto, in attesa di conferme',
  overpaid: 'Pagamento visto, in attesa di conferme',
  reversed: 'La rete ha annullato il pagamento: in attesa che torni',
};

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

/** Puts a fresh answer about one invoice into everything that shows it, and has its transactions read again. */
function rememberInvoice(client: QueryClient, invoice: InvoiceDetailView): void {
  client.setQueriesData<InvoiceDetailView>({ queryKey: ['invoice'] }, (known) =>
    known?.uuid === invoice.uuid ? invoice : known,
  );
  client.setQueriesData<InvoiceList>({ queryKey: ['invoices'] }, (list) =>
    list ? { ...list, items: list.items.map((item) => (item.uuid === invoice.uuid ? invoice : item)) } : list,
  );
  if (invoice.wallet) void client.invalidateQueries({ queryKey: ['transactions', invoice.wallet.uuid] });
}
