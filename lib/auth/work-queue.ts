import { AppError } from '@/lib/shared/errors';

/** Who waits: people at places that are known are served first, and strangers cannot take their room. */
export type Lane = 'known' | 'strangers';

const RETRY_AFTER_SECONDS = 2;

/** Runs costly work a few pieces at a time. What would wait too long is refused at once, and costs nothing. */
export class WorkQueue {
  #running = 0;
  readonly #waiting: Record<Lane, (() => void)[]> = { known: [], strangers: [] };

  /** @param limits how many run at once, and how many of each lane wait at most */
  constructor(private readonly limits: { atOnce: number; waiting: number }) {}

  /** Runs `work` when its turn has come. @throws {AppError} `too_busy` when its lane is full */
  async run<T>(lane: Lane, work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.limits.atOnce) await this.#turn(lane);
    else this.#running++;
    try {
      return await work();
    } finally {
      this.#passOn();
    }
  }

  #turn(lane: Lane): Promise<void> {
    const waiting = this.#waiting[lane];
    if (waiting.length >= this.limits.waiting)
      throw new AppError('too_busy', { retryAfterSeconds: RETRY_AFTER_SECONDS });
    return new Promise((resolve) => waiting.push(resolve));
  }

  /** Whoever comes next takes over the place of what has ended. */
  #passOn(): void {
    const next = this.#waiting.known.shift() ?? this.#waiting.strangers.shift();
    if (next) next();
    else this.#running--;
  }
}
