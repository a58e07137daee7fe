import { openStreams } from './open-streams';

/** Often enough that no proxy takes a quiet stream for a dead one. */
const KEEP_ALIVE_MS = 20_000;

export interface EventSource {
  /** Sends one event with a JSON value. */
  send(event: string, data: unknown): void;
  /** Ends the stream from our side. */
  close(): void;
}

/**
 * Answers with a stream of server-sent events (HTML standard, section 9.2). It ends when the caller goes, when the
 * process stops, or when `close` is called.
 * @param start begins sending; what it returns is called once at the end
 */
export function eventStream(request: Request, start: (source: EventSource) => () => void): Response {
  const encoder = new TextEncoder();
  let end: () => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      let isOpen = true;
      const write = (text: string) => isOpen && controller.enqueue(encoder.encode(text));
      const keepAlive = setInterval(() => write(': \n\n'), KEEP_ALIVE_MS);
      let stop: () => void = () => undefined;
      const close = () => {
        if (!isOpen) return;
        isOpen = false;
        clearInterval(keepAlive);
        unregister();
        stop();
        controller.close();
      };
      end = close;
      const unregister = openStreams.register(close);
      request.signal.addEventListener('abort', close, { once: true });
      stop = start({ send: (event, data) => write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`), close });
      if (!isOpen) stop();
    },
    cancel: () => end(),
  });
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-store, no-transform' },
  });
}
