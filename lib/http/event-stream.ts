import type { StreamPlace } from './open-streams';

/** Often enough that no proxy takes a quiet stream for a dead one. */
const KEEP_ALIVE_MS = 20_000;

/** Then the caller opens a new one: a peer that went without a word does not keep its place for ever. */
const LONGEST_MS = 15 * 60_000;

const KEEP_ALIVE = new TextEncoder().encode(': \n\n');

/** One event with a JSON value, as it is sent (HTML standard, section 9.2); several streams may share it. */
export function eventFrame(event: string, data: unknown): Uint8Array {
  return new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

export interface EventStreamSource {
  /**
   * Its signal aborts when the caller goes. The stream keeps the request itself: the signal of one that was collected stays
   * silent, because a Request follows its caller's signal through a weak reference (undici, lib/web/fetch/request.js).
   */
  request: Request;
  /** Given back at the end, also when the stream was never read. */
  place: StreamPlace;
  /**
   * Begins the news, when the stream is first read; what it returns is called once at the end. Each frame stands for
   * itself: one that the caller has not taken yet is replaced by the next.
   */
  subscribe: (send: (frame: Uint8Array) => void) => () => void;
}

/**
 * Answers with a stream of server-sent events. Nothing is opened before somebody reads it, and at most one frame waits
 * for a caller who does not. It ends when the caller goes, when the process stops, and after a quarter of an hour.
 */
export function eventStream(source: EventStreamSource): Response {
  // A pull is the caller's wish for the next frame: none is made ahead of it.
  const body = new ReadableStream(new EventStreamBody(source), { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      'Content-Type': 'text/event-stream; charset=utf-8',
      'Cache-Control': 'no-store, no-transform',
      // nginx hands each event on as it comes.
      'X-Accel-Buffering': 'no',
    },
  });
}

class EventStreamBody implements UnderlyingDefaultSource<Uint8Array> {
  private isOpen = true;
  private stop: (() => void) | null = null;
  /** The newest frame that the caller has not taken. */
  private waiting: Uint8Array | null = null;
  private wake: (() => void) | null = null;
  private controller: ReadableStreamDefaultController<Uint8Array> | null = null;

  constructor(private readonly source: EventStreamSource) {}

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.controller = controller;
    const { request, place } = this.source;
    const { signal } = request;
    place.answered();
    if (signal.aborted) this.close();
    else signal.addEventListener('abort', this.close, { once: true });
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    if (!this.isOpen) return;
    try {
      this.stop ??= this.begin();
    } catch (error) {
      this.cancel();
      throw error;
    }
    if (this.waiting === null) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
      this.wake = null;
    }
    const frame = this.waiting;
    this.waiting = null;
    if (this.isOpen && frame !== null) controller.enqueue(frame);
  }

  cancel(): void {
    this.controller = null;
    this.close();
  }

  private begin(): () => void {
    const { place, subscribe } = this.source;
    const unsubscribe = subscribe((frame) => this.offer(frame));
    place.begin(this.close);
    const keepAlive = setInterval(() => this.offer(this.waiting ?? KEEP_ALIVE), KEEP_ALIVE_MS);
    const end = setTimeout(this.close, LONGEST_MS);
    return () => {
      clearInterval(keepAlive);
      clearTimeout(end);
      unsubscribe();
    };
  }

  private offer(frame: Uint8Array): void {
    if (!this.isOpen) return;
    this.waiting = frame;
    this.wake?.();
  }

  private readonly close = (): void => {
    if (!this.isOpen) return;
    this.isOpen = false;
    this.waiting = null;
    const { request, place } = this.source;
    request.signal.removeEventListener('abort', this.close);
    this.stop?.();
    place.leave();
    this.controller?.close();
    this.wake?.();
  };
}
