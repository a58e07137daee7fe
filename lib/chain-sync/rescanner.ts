import type { Database } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { addSeconds, type Clock } from '@/lib/shared/time';
import type { Lease } from './lease';
import { type RescanOptions, rescanStep } from './rescan';

/** Between two looks at the head old blocks are read for so long at most. */
const LONGEST_SECONDS = 1;
/** After a fault of the node they wait, so that new blocks do not. */
const PAUSE_SECONDS = 10;

export interface RescannerOptions {
  db: Database;
  lease: Lease;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
}

/** Reads blocks again that an operator asked for, a little in each round of the follower. */
export class Rescanner {
  readonly #options: RescannerOptions;
  #notBefore = new Date(0);

  constructor(options: RescannerOptions) {
    this.#options = options;
  }

  /** @throws LeaseLostError */
  async run(what: RescanOptions): Promise<void> {
    const { db, lease, signal, clock, logger } = this.#options;
    if (clock() < this.#notBefore) return;
    const until = addSeconds(clock(), LONGEST_SECONDS);
    for (let goesOn = true; goesOn && !signal.aborted; ) {
      const result = await rescanStep(db, lease, what);
      if (result.kind === 'failed') this.#notBefore = addSeconds(clock(), PAUSE_SECONDS);
      if (result.kind === 'finished') {
        const { id, fromHeight, toHeight, foundDeposits } = result.rescan;
        logger.info({ chain: lease.chain, id, fromHeight, toHeight, foundDeposits }, 'rescan finished');
      }
      goesOn = (result.kind === 'stepped' || result.kind === 'finished') && clock() < until;
    }
  }
}
