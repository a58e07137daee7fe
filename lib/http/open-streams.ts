import { AppError } from '@/lib/shared/errors';
import { PAYMENT_POLL_MS, STREAM_CAPS } from '@/lib/shared/limits';
import { processSingleton } from '@/lib/shared/process-singleton';

/** A place whose answer nobody began to read in this time (the caller was gone before) is given to the next. */
const UNREAD_MS = 10_000;

/** For whom a stream is opened. */
export interface StreamCaller {
  /** The caller's network address (client-address.ts). */
  address: string;
  /** The invoice's uuid. */
  invoice: string;
}

/** The right to one stream. It is taken before the invoice is looked up, so that who is refused costs no query. */
export interface StreamPlace {
  /**
   * The answer is made, and waits for somebody to read it.
   * @param nowMs a clock that only moves forward, in milliseconds
   */
  answered(nowMs?: number): void;
  /**
   * The stream is being read now.
   * @param close ends it; called once, when the process stops
   */
  begin(close: () => void): void;
  /** Gives the place back; a second call changes nothing. */
  leave(): void;
}

type Caps = Record<keyof typeof STREAM_CAPS, number>;

/** The event streams of a process: how many may be open for whom, and their end when the process stops. */
export class OpenStreams {
  private readonly places = new Set<StreamPlace>();
  /** How many places each address and each invoice has; nothing is kept for those that have none. */
  private readonly held = new Map<string, number>();
  /** Since when an answer waits for its reader, oldest first; milliseconds. */
  private readonly unread = new Map<StreamPlace, number>();
  private readonly reading = new Map<StreamPlace, () => void>();

  constructor(private readonly caps: Caps = STREAM_CAPS) {}

  /**
   * Takes a place for a stream; it opens nothing.
   * @param nowMs a clock that only moves forward, in milliseconds
   * @throws {AppError} `too_many_streams` when the address, the invoice or the process has as many as it may
   */
  take({ address, invoice }: StreamCaller, nowMs = performance.now()): StreamPlace {
    this.forgetUnread(nowMs);
    const keys = [`address ${address}`, `invoice ${invoice}`] as const;
    const isFull =
      this.size >= this.caps.inAll ||
      this.heldBy(keys[0]) >= this.caps.perAddress ||
      this.heldBy(keys[1]) >= this.caps.perInvoice;
    if (isFull) throw new AppError('too_many_streams', { retryAfterSeconds: PAYMENT_POLL_MS / 1000 });
    const place: StreamPlace = {
      answered: (answeredAtMs = performance.now()) => this.unread.set(place, answeredAtMs),
      begin: (close) => {
        this.unread.delete(place);
        this.reading.set(place, close);
        this.hold(place, keys);
      },
      leave: () => {
        this.unread.delete(place);
        this.reading.delete(place);
        this.release(place, keys);
      },
    };
    this.hold(place, keys);
    return place;
  }

  /** How many places are taken, read or not. */
  get size(): number {
    return this.places.size;
  }

  /** Ends every stream that is still being read. */
  closeAll(): void {
    const closing = [...this.reading];
    for (const [place, close] of closing) {
      place.leave();
      close();
    }
  }

  private forgetUnread(nowMs: number): void {
    for (const [place, takenAtMs] of this.unread) {
      if (nowMs - takenAtMs < UNREAD_MS) return;
      place.leave();
    }
  }

  private heldBy(key: string): number {
    return this.held.get(key) ?? 0;
  }

  private hold(place: StreamPlace, keys: readonly string[]): void {
    if (this.places.has(place)) return;
    this.places.add(place);
    for (const key of keys) this.held.set(key, this.heldBy(key) + 1);
  }

  private release(place: StreamPlace, keys: readonly string[]): void {
    if (!this.places.delete(place)) return;
    for (const key of keys) {
      const left = this.heldBy(key) - 1;
      if (left > 0) this.held.set(key, left);
      else this.held.delete(key);
    }
  }
}

/** The process's one count of event streams: an open one would keep the process from ending. */
export function openStreams(): OpenStreams {
  return processSingleton('open-streams', () => new OpenStreams());
}
