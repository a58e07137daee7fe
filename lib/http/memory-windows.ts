/** How a count stands. */
export interface Standing {
  /** Times that were counted in the window. */
  used: number;
  /** When the window ends, milliseconds since 1970. */
  endsAtMs: number;
}

/**
 * Counts per key in windows of one length that begin with a key's first count, in this process's memory. It holds at most
 * `maxKeys` of them: whoever comes with more addresses than that pushes out the counts that began first, and nothing
 * grows.
 */
export class MemoryWindows {
  /** In the order in which they began; with few exceptions they end in it too. */
  readonly #windows = new Map<string, Standing>();

  constructor(
    private readonly windowMs: number,
    private readonly maxKeys: number,
  ) {}

  /** How the key's count stands at `nowMs`; null when it has no window that is open. */
  peek(key: string, nowMs: number): Standing | null {
    const window = this.#windows.get(key);
    return window && window.endsAtMs > nowMs ? window : null;
  }

  /** Counts the key `times` more; taken back below zero it stays at zero. */
  add(key: string, times: number, nowMs: number): Standing {
    const open = this.peek(key, nowMs);
    if (!open) return this.#begin(key, { used: Math.max(0, times), endsAtMs: nowMs + this.windowMs }, nowMs);
    open.used = Math.max(0, open.used + times);
    return open;
  }

  /** Sets how a key's count stands. */
  set(key: string, standing: Standing, nowMs: number): void {
    this.#begin(key, standing, nowMs);
  }

  /** Forgets a key. */
  delete(key: string): void {
    this.#windows.delete(key);
  }

  /** Keys that are held now. */
  get size(): number {
    return this.#windows.size;
  }

  #begin(key: string, standing: Standing, nowMs: number): Standing {
    this.#windows.delete(key);
    for (const [oldest, { endsAtMs }] of this.#windows) {
      if (endsAtMs > nowMs && this.#windows.size < this.maxKeys) break;
      this.#windows.delete(oldest);
    }
    this.#windows.set(key, standing);
    return standing;
  }
}
