import type { ChainTraits } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { noteProgress } from './cursor-repository';
import type { Lease } from './lease';
import { type Look, liveSince, type Progress, progressOf } from './progress';

export interface ProgressKeeperOptions {
  db: Database;
  lease: Lease;
  traits: Pick<ChainTraits, 'stalledAfterSeconds'>;
  clock: Clock;
}

/** Notes with every look and every step how far a chain is followed, and remembers it for its operator. */
export class ProgressKeeper {
  readonly #options: ProgressKeeperOptions;
  #progress: Progress;

  constructor(options: ProgressKeeperOptions) {
    this.#options = options;
    this.#progress = { unreadSince: null, followedUntil: options.clock() };
  }

  /** Since when the chain is not followed; null while what is paid on it can be sold. */
  get lostSince(): Date | null {
    const { followedUntil } = this.#progress;
    return followedUntil > liveSince(this.#options.clock()) ? null : followedUntil;
  }

  /** Since when the oldest unread block waits; null when everything that the node showed was read. */
  get unreadSince(): Date | null {
    return this.#progress.unreadSince;
  }

  /** @throws LeaseLostError */
  async note(look: Look): Promise<void> {
    const { db, lease, traits } = this.#options;
    this.#progress = progressOf(look, traits.stalledAfterSeconds);
    await noteProgress(db.pool, lease, this.#progress);
  }
}
