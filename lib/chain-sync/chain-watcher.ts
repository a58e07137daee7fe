import type { CoinSettings } from '@/lib/chains/coin-settings';
import { type ChainAdapter, ChainError } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { LeaseLostError } from '@/lib/deposits/types';
import type { Logger } from '@/lib/logging/logger';
import type { Coin } from '@/lib/shared/coins';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { ChainFollower } from './chain-follower';
import { LeaseKeeper } from './lease-keeper';

const LONGEST_BACKOFF_MS = 5_000;
/** A reorg, the new chain's blocks, and one to spare. */
const MOST_ROUNDS_PER_TICK = 3;

export interface ChainWatcherOptions {
  db: Database;
  adapter: ChainAdapter;
  settings: Pick<CoinSettings, 'confirmations' | 'isDevnet' | 'pollMs'>;
  /** Settles every queued wallet of the coin. */
  drain: (coin: Coin) => Promise<unknown>;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
  leaseTtlMs?: number;
}

/** Watches one coin as long as it gets the lease. Faults of the node are retried and never taken for news. */
export class ChainWatcher {
  readonly #options: ChainWatcherOptions;
  readonly #keeper: LeaseKeeper;
  #reader: ChainFollower | null = null;
  #failures = 0;
  #lastReason: string | undefined;
  #notBefore = 0;

  constructor(options: ChainWatcherOptions) {
    this.#options = options;
    const { db, adapter, settings, leaseTtlMs } = options;
    const { confirmations } = settings;
    this.#keeper = new LeaseKeeper({ db, coin: adapter.coin, confirmations, ...(leaseTtlMs && { ttlMs: leaseTtlMs }) });
  }

  /** One poll. @throws only faults that are not the node's: the loop that calls logs them and backs off */
  async tick(): Promise<void> {
    if (this.#options.clock().getTime() < this.#notBefore) return;
    try {
      const reader = await this.#hold();
      if (!reader) return;
      for (let rounds = 1; (await reader.round()) && rounds < MOST_ROUNDS_PER_TICK; ) rounds += 1;
      this.#noteSuccess();
    } catch (error) {
      if (this.#options.signal.aborted) return;
      await this.#handle(error);
    }
  }

  /** Gives the lease back. */
  async close(): Promise<void> {
    this.#reader = null;
    await this.#keeper.release();
  }

  /** The reader of the lease that is held now; a new lease begins with everything loaded anew. */
  async #hold(): Promise<ChainFollower | null> {
    const lease = await this.#keeper.hold();
    if (!lease) {
      this.#reader = null;
      return null;
    }
    if (this.#reader?.lease === lease) return this.#reader;
    const { db, adapter, settings, drain, signal, clock, logger } = this.#options;
    const reader = new ChainFollower({
      db,
      adapter,
      lease,
      isDevnet: settings.isDevnet,
      drain: () => drain(adapter.coin),
      signal,
      clock,
      logger,
    });
    await reader.open();
    logger.info({ coin: adapter.coin, token: lease.token }, 'lease taken');
    this.#reader = reader;
    return reader;
  }

  async #handle(error: unknown): Promise<void> {
    if (error instanceof LeaseLostError) this.#loseLease();
    else if (error instanceof ChainError) await this.#noteFault(error);
    else throw error;
  }

  #loseLease(): void {
    this.#keeper.drop();
    this.#reader = null;
    this.#options.logger.warn({ coin: this.#options.adapter.coin }, 'lease lost: another watcher reads the coin');
  }

  async #noteFault(error: ChainError): Promise<void> {
    const { adapter, clock, logger, settings } = this.#options;
    this.#reader?.distrustChain();
    this.#failures += 1;
    const backoffMs = Math.min(settings.pollMs * 2 ** Math.min(this.#failures - 1, 10), LONGEST_BACKOFF_MS);
    const waitSeconds = error.retryAfterSeconds ?? (backoffMs * (0.5 + Math.random() / 2)) / 1000;
    this.#notBefore = addSeconds(clock(), waitSeconds).getTime();
    const isNews = error.reason !== this.#lastReason;
    this.#lastReason = error.reason;
    if (isNews)
      logger.warn({ coin: adapter.coin, err: error, reason: error.reason }, 'node cannot be used, trying again');
    if (isNews && error.reason === 'wrong_chain')
      await this.#reader?.pause('wrong_chain_id').catch((failure: unknown) => this.#handle(failure));
  }

  #noteSuccess(): void {
    if (this.#failures > 0)
      this.#options.logger.info({ coin: this.#options.adapter.coin, failures: this.#failures }, 'node works again');
    this.#failures = 0;
    this.#lastReason = undefined;
  }
}
