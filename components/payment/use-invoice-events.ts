import { useEffect } from 'react';
import { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { logFailure } from '@/lib/client/log-failure';

/**
 * Listens to the server's events of a public invoice while `enabled`. A hidden page closes its stream (browsers allow six
 * per host) and opens it again when it is seen; the browser reconnects by itself after a break.
 */
export function useInvoiceEvents(uuid: string, receive: (view: PublicInvoiceView) => void, enabled: boolean): void {
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
