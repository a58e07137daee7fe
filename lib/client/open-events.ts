import { backoffMs } from '@/lib/shared/backoff';

/** A stream that keeps being refused is asked for again at least this often. */
const LONGEST_WAIT_MS = 60_000;

/**
 * Listens to the server-sent events of an address. A stream that ends is opened again by the browser itself; one that is
 * refused (too many at once, or a proxy's 502 while the server starts anew) it gives up (HTML standard, section 9.2.3):
 * that one is opened again here, after waits that grow.
 * @param event name of the events
 * @param onData called with the data of each
 * @returns what ends it
 */
export function openEvents(url: string, event: string, onData: (data: string) => void): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  const open = () => {
    source = new EventSource(url);
    source.addEventListener(event, (message: MessageEvent<string>) => {
      failures = 0;
      onData(message.data);
    });
    source.addEventListener('error', () => {
      if (source.readyState !== EventSource.CLOSED) return;
      failures += 1;
      retry = setTimeout(open, backoffMs(failures, LONGEST_WAIT_MS, Math.random()));
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}
