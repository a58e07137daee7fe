import { shownConfirmations } from '@/lib/chains/confirmation';
import type { ChainSettings } from '@/lib/chains/definition';
import { ChainError, type ChainReader, type ChainTraits } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import type { Logger } from '@/lib/logging/logger';
import { backoffMs } from '@/lib/shared/backoff';
import type { Chain } from '@/lib/shared/chains';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { ChainFollower } from './chain-follower';
import { LeaseLostError } from './lease';
import { LeaseKeeper } from './lease-keeper';

/** A reorg, the new chain's blocks, and one to spare. */
const MOST_ROUNDS_PER_TICK = 3;

export interface ChainWatcherOptions {
  db: Database;
  reader: ChainReader;
  settings: ChainSettings;
  traits: ChainTraits;
  /** Told when settlements of the chain may be queued. */
  drain: (chain: Chain) => Promise<unknown>;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
  leaseTtlMs?: number;
}

/** Watches one chain as long as it gets the lease. Faults of the node are retried and never taken for news. */
export class ChainWatcher {
  readonly #options: ChainWatcherOptions;
  readonly #keeper: LeaseKeeper;
  #follower: ChainFollower | null = null;
  #failures = 0;
  #lastReason: string | undefined;
  #notBefore = 0;
  #isLost = false;

  constructor(options: ChainWatcherOptions) {
    this.#options = options;
    const { db, reader, settings, leaseTtlMs } = options;
    const confirmations = shownConfirmations(settings.confirmation);
    this.#keeper = new LeaseKeeper({
      db,
      chain: reader.chain,
      confirmations,
      ...(leaseTtlMs && { ttlMs: leaseTtlMs }),
    });
  }

  /** One poll. @throws only faults that are not the node's: the loop that calls logs them and backs off */
  async tick(): Promise<void> {
    try {
      if (this.#options.clock().getTime() >= this.#notBefore) await this.#look();
    } finally {
      this.#reportProgress();
    }
  }

  /** True while this watcher reads the chain; of those that stand by it is false. */
  get isReading(): boolean {
    return this.#follower !== null;
  }

  async #look(): Promise<void> {
    try {
      const follower = await this.#hold();
      if (!follower) return;
      for (let rounds = 1; (await follower.round()) && rounds < MOST_ROUNDS_PER_TICK; ) rounds += 1;
      this.#noteSuccess();
    } catch (error) {
      if (this.#options.signal.aborted) return;
      await this.#handle(error);
    }
  }

  /** Gives the lease back. */
  async close(): Promise<void> {
    this.#follower = null;
    await this.#keeper.release();
  }

  /** The follower of the lease that is held now; a new lease begins with everything loaded anew. */
  async #hold(): Promise<ChainFollower | null> {
    const lease = await this.#keeper.hold();
    if (!lease) {
      this.#follower = null;
      return null;
    }
    if (this.#follower?.lease === lease) return this.#follower;
    const { db, reader, settings, traits, drain, signal, clock, logger } = this.#options;
    const follower = new ChainFollower({
      db,
      reader,
      lease,
      settings,
      traits,
      drain: () => drain(reader.chain),
      signal,
      clock,
      logger,
    });
    await follower.open();
    logger.info({ chain: reader.chain, token: lease.token }, 'lease taken');
    this.#follower = follower;
    return follower;
  }

  async #handle(error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) this.#loseLease();
    else if (error instanceof ChainError) await this.#noteFault(error);
    else throw error;
  }

  #loseLease(): void {
    this.#keeper.drop();
    this.#follower = null;
    this.#options.logger.warn({ chain: this.#options.reader.chain }, 'lease lost: another watcher reads the chain');
  }

  async #noteFault(error: ChainError): Promise<void> {
    const { reader, clock, logger, settings } = this.#options;
    this.#follower?.distrustChain();
    this.#failures += 1;
    const waitSeconds = error.retryAfterSeconds ?? backoffMs(this.#failures, settings.pollMs, Math.random()) / 1000;
    this.#notBefore = addSeconds(clock(), waitSeconds).getTime();
    const isNews = error.reason !== this.#lastReason;
    if (isNews)
      logger.warn({ chain: reader.chain, err: error, reason: error.reason }, 'node cannot be used, trying again');
    if (isNews && error.reason === 'wrong_chain')
      await this.#follower?.pause('wrong_chain_id').catch((failure: unknown) => this.#handle(failure));
    // Last: a pause that could not be stored is tried again with the next fault.
    this.#lastReason = error.reason;
  }

  /** Tells the operator, once, when the chain is not followed any more, and when it is again. */
  #reportProgress(): void {
    const { reader, logger } = this.#options;
    if (!this.#follower) return;
    const { lostSince, unreadSince } = this.#follower.progress;
    if ((lostSince !== null) === this.#isLost) return;
    this.#isLost = lostSince !== null;
    const facts = { chain: reader.chain, since: lostSince?.toISOString(), unreadSince: unreadSince?.toISOString() };
    if (this.#isLost) logger.error(facts, 'the chain is not followed: nothing is sold on it');
    else logger.warn(facts, 'the chain is followed again');
  }

  #noteSuccess(): void {
    if (this.#failures > 0)
      this.#options.logger.info({ chain: this.#options.reader.chain, failures: this.#failures }, 'node works again');
    this.#failures = 0;
    this.#lastReason = undefined;
  }
}
