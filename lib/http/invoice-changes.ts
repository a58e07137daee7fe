import { PublicInvoiceView } from '@/lib/api-schema/invoices';
import { directDatabaseUrl } from '@/lib/config/env';
import { CHANNELS } from '@/lib/db/channels';
import { listen } from '@/lib/db/listen';
import { webClock, webDatabase } from '@/lib/db/web-database';
import { getPublicInvoice } from '@/lib/invoices/get-invoice';
import { processSingleton } from '@/lib/shared/process-singleton';
import { eventFrame } from './event-stream';
import { webLogger } from './request-log';

/** After a break every invoice that is looked at is read again: the requests beside them keep most of the pool. */
const READS_AT_ONCE = 4;

/** The connection outlives its last stream by this much, so that quick comers and goers share one. */
const LINGER_MS = 60_000;

type OnNews = (frame: Uint8Array) => void;

interface Sources {
  /** Reads an invoice as its listeners get it. */
  read: (uuid: string) => Promise<Uint8Array>;
  /** Calls `onChange` with the uuid of each invoice that may have changed, or '' for any, until the signal aborts. */
  listen: (onChange: (uuid: string) => void, signal: AbortSignal) => void;
  /** An invoice could not be read; its listeners learn the next change. */
  onFault: (error: unknown) => void;
}

/**
 * One LISTEN connection for all event streams of the process, opened with the first, and one read of an invoice for all
 * who look at it.
 */
export class InvoiceChanges {
  private readonly listeners = new Map<string, Set<OnNews>>();
  /** Whom the next read of an invoice is for, in the order in which they are read. */
  private readonly due = new Map<string, Set<OnNews>>();
  private readonly reading = new Set<string>();
  private stop: AbortController | null = null;
  private lingering: NodeJS.Timeout | undefined;

  constructor(private readonly sources: Sources) {}

  /**
   * Calls `onNews` with the invoice as it is, and again whenever it may have changed.
   * @returns what ends the subscription
   */
  subscribe(uuid: string, onNews: OnNews): () => void {
    const all = this.listeners.get(uuid) ?? new Set();
    this.listeners.set(uuid, all.add(onNews));
    clearTimeout(this.lingering);
    this.stop ??= this.start();
    this.readFor(uuid, [onNews]);
    return () => {
      all.delete(onNews);
      this.due.get(uuid)?.delete(onNews);
      if (all.size === 0 && this.listeners.get(uuid) === all) this.listeners.delete(uuid);
      if (this.listeners.size === 0) this.linger();
    };
  }

  private start(): AbortController {
    const controller = new AbortController();
    const onChange = (uuid: string) => {
      const changed = uuid === '' ? [...this.listeners.keys()] : [uuid];
      for (const one of changed) this.readFor(one, this.listeners.get(one) ?? []);
    };
    this.sources.listen(onChange, controller.signal);
    return controller;
  }

  private linger(): void {
    clearTimeout(this.lingering);
    this.lingering = setTimeout(() => {
      this.stop?.abort();
      this.stop = null;
    }, LINGER_MS).unref();
  }

  private readFor(uuid: string, readers: Iterable<OnNews>): void {
    const due = this.due.get(uuid) ?? new Set();
    for (const reader of readers) due.add(reader);
    if (due.size > 0) this.due.set(uuid, due);
    this.readNext();
  }

  /** Starts reads while there may be more of them; one invoice is read once at a time, so that no older news overtakes. */
  private readNext(): void {
    for (const [uuid, readers] of this.due) {
      if (this.reading.size >= READS_AT_ONCE) return;
      if (this.reading.has(uuid)) continue;
      this.due.delete(uuid);
      if (readers.size > 0) void this.readOne(uuid, readers);
    }
  }

  private async readOne(uuid: string, readers: Set<OnNews>): Promise<void> {
    this.reading.add(uuid);
    try {
      const frame = await this.sources.read(uuid);
      for (const reader of readers) if (this.listeners.get(uuid)?.has(reader)) reader(frame);
    } catch (error) {
      this.sources.onFault(error);
    } finally {
      this.reading.delete(uuid);
      this.readNext();
    }
  }
}

/** The process's one hub of invoice changes. */
export function invoiceChanges(): InvoiceChanges {
  return processSingleton(
    'invoice-changes',
    () =>
      new InvoiceChanges({
        read: async (uuid) => {
          const view = await getPublicInvoice(webDatabase(), uuid, webClock);
          return eventFrame('invoice', PublicInvoiceView.parse(view));
        },
        listen: (onChange, signal) => {
          const wake = (_channel: string, uuid: string) => onChange(uuid);
          void listen(directDatabaseUrl('web'), [CHANNELS.invoice], wake, signal, webLogger());
        },
        onFault: (error) => webLogger().warn({ err: error }, 'event streams skipped a change'),
      }),
  );
}
