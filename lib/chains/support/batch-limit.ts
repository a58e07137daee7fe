/** Full requests that must be served before a larger one is tried; twice as many after each refusal. */
const FIRST_PATIENCE = 32;
const MOST_PATIENCE = 4_096;

/**
 * How many calls one request to a node may hold, learnt from what the node refuses: it shrinks at once, down to one, and
 * grows again by one call at a time, ever more slowly the more often that was refused.
 */
export class BatchLimit {
  #most = Number.POSITIVE_INFINITY;
  /** The largest request that was served. */
  #served = 1;
  #fullInARow = 0;
  #patience = FIRST_PATIENCE;

  /** Calls that the next request may hold. */
  get most(): number {
    return this.#most;
  }

  /** A request of `size` calls was answered. */
  serve(size: number): void {
    this.#served = Math.max(this.#served, size);
    if (size < this.#most) return;
    this.#fullInARow += 1;
    if (this.#fullInARow < this.#patience) return;
    this.#most += 1;
    this.#fullInARow = 0;
  }

  /** A request of `size` calls, two at least, was refused. */
  refuse(size: number): void {
    // What was served before tells nothing any more when the node refuses as much now.
    if (this.#served >= size) this.#served = 1;
    this.#most = Math.max(Math.floor(size / 2), this.#served);
    this.#fullInARow = 0;
    this.#patience = Math.min(2 * this.#patience, MOST_PATIENCE);
  }
}
