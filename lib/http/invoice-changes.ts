import { directDatabaseUrl } from '@/lib/config/env';
import { CHANNELS } from '@/lib/db/channels';
import { listen } from '@/lib/db/listen';
import { processSingleton } from '@/lib/shared/process-singleton';
import { webLogger } from './request-log';

type OnChange = () => void;

/** One LISTEN connection for all event streams of the process, opened with the first and closed after the last. */
class InvoiceChanges {
  private readonly subscribers = new Map<string, Set<OnChange>>();
  private stop: AbortController | null = null;

  /**
   * Calls `onChange` whenever the invoice may have changed, also after a reconnect.
   * @returns what ends the subscription
   */
  subscribe(uuid: string, onChange: OnChange): () => void {
    const callbacks = this.subscribers.get(uuid) ?? new Set();
    this.subscribers.set(uuid, callbacks.add(onChange));
    this.stop ??= this.start();
    return () => {
      callbacks.delete(onChange);
      if (callbacks.size === 0 && this.subscribers.get(uuid) === callbacks) this.subscribers.delete(uuid);
      if (this.subscribers.size > 0) return;
      this.stop?.abort();
      this.stop = null;
    };
  }

  private start(): AbortController {
    const controller = new AbortController();
    const wake = (_channel: string, uuid: string) => {
      const woken = uuid === '' ? [...this.subscribers.values()] : [this.subscribers.get(uuid) ?? []];
      for (const callbacks of woken) for (const onChange of callbacks) onChange();
    };
    void listen(directDatabaseUrl('web'), [CHANNELS.invoice], wake, controller.signal, webLogger());
    return controller;
  }
}

/** The process's one hub of invoice changes. */
export function invoiceChanges(): InvoiceChanges {
  return processSingleton('invoice-changes', () => new InvoiceChanges());
}
