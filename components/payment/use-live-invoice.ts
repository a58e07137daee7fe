import { useCallback, useEffect, useState } from 'react';
import { PublicInvoiceView, PublicPaymentStatusView } from '@/lib/api-schema/invoices';
import { apiFetch } from '@/lib/client/api';
import { logFailure } from '@/lib/client/log-failure';
import { openEvents } from '@/lib/client/open-events';
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
 * per host) and opens it again when it is seen. Whatever a break hides, the check of each 15 s brings.
 */
function useInvoiceEvents(uuid: string, receive: (view: PublicInvoiceView) => void, enabled: boolean): void {
  useEffect(() => {
    if (!enabled) return;
    let close: (() => void) | null = null;

    const onInvoice = (data: string) => {
      const view = PublicInvoiceView.safeParse(parseJson(data));
      if (view.success) receive(view.data);
      else logFailure('invoice event', view.error);
    };
    const onVisibility = () => {
      if (document.hidden) {
        close?.();
        close = null;
      } else close ??= openEvents(`/api/invoices/public/${uuid}/events`, 'invoice', onInvoice);
    };

    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close?.();
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
