/** Lets one loop sleep until a time has passed or somebody wakes it. Wakes that come while nobody sleeps count once. */
export class Waker {
  #pending = false;
  #resume: (() => void) | undefined;

  /** Ends the sleep of now, else makes the next one end at once. */
  wake(): void {
    this.#pending = true;
    this.#resume?.();
  }

  /** Resolves after `ms`, at a wake, or when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (!this.#pending && !signal.aborted) await this.#sleep(ms, signal);
    this.#pending = false;
  }

  #sleep(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', end);
        this.#resume = undefined;
        resolve();
      };
      const timer = setTimeout(end, ms);
      signal.addEventListener('abort', end, { once: true });
      this.#resume = end;
    });
  }
}
