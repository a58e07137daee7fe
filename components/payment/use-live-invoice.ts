import { useCallback, useEffect, useState } from 'react';
import { PublicInvoiceView, PublicPaymentStatusView } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { logFailure } from '@/lib/client/log-failure';
import { usePoll } from '@/lib/client/use-poll';
import { PAYMENT_POLL_MS } from '@/lib/shared/limits';
import { isFinal } from './pay-screen';

/**
 * Keeps the customer's invoice fresh: the server's events at once, a check each 15 s. Both stop when it is paid or
 * expired by the server's word; failures are only logged.
 * @param rendered what the server put into the page; a newer page (after a form) wins over older news
 */
export function useLiveInvoice(rendered: PublicInvoiceView): {
  invoice: PublicInvoiceView;
  check: () => Promise<void>;
} {
  const [news, setNews] = useState<PublicInvoiceView | null>(null);
  const invoice = news !== null && isNewer(news, rendered) ? news : rendered;
  const { uuid } = rendered;
  const isLive = !isFinal(invoice);

  const receive = useCallback((view: PublicInvoiceView) => {
    setNews((known) => (known !== null && isNewer(known, view) ? known : view));
  }, []);

  const check = useCallback(async () => {
    try {
      const status = await apiFetch(`/invoices/public/${uuid}/check-payment`, {
        schema: PublicPaymentStatusView,
        fallback: 'Impossibile verificare lo stato del pagamento.',
        auth: 'none',
      });
      receive(status.updatedInvoice);
    } catch (error) {
      logFailure('check-payment', error);
    }
  }, [uuid, receive]);

  usePoll(check, PAYMENT_POLL_MS, isLive);
  useInvoiceEvents(uuid, receive, isLive);
  return { invoice, check };
}

function isNewer(one: PublicInvoiceView, other: PublicInvoiceView): boolean {
  return Date.parse(one.serverTime) > Date.parse(other.serverTime);
}

/**
 * Listens to the server's events of a public invoice while `enabled`. A hidden page closes its stream (browsers allow six
 * per host) and opens it again when it is seen; the browser reconnects by itself after a break.
 */
function useInvoiceEvents(uuid: string, receive: (view: PublicInvoiceView) => void, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    let source: EventSource | null = null;

    const onInvoice = (event: MessageEvent<string>) => {
      const view = PublicInvoiceView.safeParse(parseJson(event.data));
      if (view.success) receive(view.data);
      else logFailure('invoice event', view.error);
    };
    const open = () => {
      source = new EventSource(`/api/invoices/public/${uuid}/events`);
      source.addEventListener('invoice', onInvoice);
    };
    const close = () => {
      source?.close();
      source = null;
    };
    const onVisibility = () => {
      if (document.hidden) close();
      else if (source === null) open();
    };

    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close();
    };
  }, [uuid, receive, enabled]);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
