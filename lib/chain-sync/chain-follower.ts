import { isOwnPause } from '@/lib/chain-sync/is-own-pause';
import { loadAddresses } from '@/lib/chain-sync/load-addresses';
import { noteHead } from '@/lib/chain-sync/note-head';
import { pauseCrediting } from '@/lib/chain-sync/pause-crediting';
import { recordBlocks } from '@/lib/chain-sync/record-blocks';
import { recordLoadedGeneration } from '@/lib/chain-sync/record-loaded-generation';
import { resetEpoch } from '@/lib/chain-sync/reset-epoch';
import { resumeCrediting } from '@/lib/chain-sync/resume-crediting';
import { rollBack } from '@/lib/chain-sync/roll-back';
import { startCursor } from '@/lib/chain-sync/start-cursor';
import type { ChainAdapter, ChainHead } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { enqueueRecentDeposits } from '@/lib/deposits/enqueue-recent-deposits';
import type { Cursor, Lease, PauseReason } from '@/lib/deposits/types';
import type { Logger } from '@/lib/logging/logger';
import type { Clock } from '@/lib/shared/time';
import { ChainGuard, type PlacedCursor } from './chain-guard';
import { readChainStart } from './read-chain-start';

/** Blocks read and committed at a time: about 2 MB of answer each time on Ethereum. */
const BLOCKS_PER_STEP = 5n;

export interface ChainFollowerOptions {
  db: Database;
  adapter: ChainAdapter;
  lease: Lease;
  /** Another chain starts a new epoch instead of pausing the coin. */
  isDevnet: boolean;
  /** Settles what the commits queued. */
  drain: () => Promise<unknown>;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
}

/** Reads one chain under one lease: blocks become deposits, the cursor follows, wallets are settled. */
export class ChainFollower {
  readonly #options: ChainFollowerOptions;
  readonly #guard: ChainGuard;
  readonly #watched = new Map<string, string>();
  #generation = 0n;

  constructor(options: ChainFollowerOptions) {
    this.#options = options;
    this.#guard = new ChainGuard(options.adapter);
  }

  get lease(): Lease {
    return this.#options.lease;
  }

  /** Loads every address and queues again what an earlier watcher may have left undecided. */
  async open(): Promise<void> {
    await this.#loadNewAddresses();
    await enqueueRecentDeposits(this.#options.db, this.lease.coin);
  }

  /** Called after a fault of the node: behind its URL may stand another chain by the next time. */
  distrustChain(): void {
    this.#guard.distrust();
  }

  /**
   * One look at the node, and everything that follows from it.
   * @returns true when the chain was rolled back or replaced and should be read on at once
   * @throws ChainError (nothing counts, try again), LeaseLostError
   */
  async round(): Promise<boolean> {
    const { db, adapter } = this.#options;
    const head = await adapter.head();
    const { poolGeneration, ...cursor } = await noteHead(db, this.lease, head);
    // Before any further block: an address must be watched before it can be assigned and paid.
    if (poolGeneration > this.#generation) await this.#loadNewAddresses();
    const isStopped = cursor.pausedReason !== null && !isOwnPause(cursor.pausedReason);
    const mustReadOn = isStopped ? false : await this.#follow(cursor, head);
    // After a roll-back the new branch is read first: a payment that it holds too was never gone.
    if (!mustReadOn) await this.#options.drain();
    return mustReadOn;
  }

  /** Sets the pause, once, and says so to the operator. */
  async pause(reason: PauseReason, cursor?: Cursor): Promise<void> {
    if (cursor?.pausedReason === reason) return;
    await pauseCrediting(this.#options.db, this.lease, reason);
    this.#options.logger.error(
      { coin: this.lease.coin, reason, cursor: cursor?.height },
      'coin paused: nothing is credited',
    );
  }

  async #follow(cursor: Cursor, head: ChainHead): Promise<boolean> {
    if (cursor.height === null) return this.#start(head);
    const placed = { ...cursor, height: cursor.height };
    const doubt = await this.#guard.doubt(placed, head);
    if (doubt) return this.#leaveChain(doubt, placed, head);
    await this.#recordGeneration(cursor);
    return this.#read(placed, head);
  }

  async #start(head: ChainHead): Promise<boolean> {
    const { db, adapter, logger } = this.#options;
    const start = await readChainStart(adapter, head);
    await startCursor(db, this.lease, start);
    this.#guard.trust();
    const { genesisHash } = start;
    logger.info({ coin: this.lease.coin, height: head.height, genesisHash }, 'first start: reading begins at the head');
    return true;
  }

  /** A chain that is not the one we know: a devnet begins anew, any other coin is paused. */
  async #leaveChain(reason: PauseReason, cursor: PlacedCursor, head: ChainHead): Promise<boolean> {
    const { db, adapter, isDevnet, logger } = this.#options;
    if (!isDevnet) {
      await this.pause(reason, cursor);
      return false;
    }
    const epoch = await resetEpoch(db, this.lease, await readChainStart(adapter, head));
    this.#guard.trust();
    logger.warn({ coin: this.lease.coin, reason, epoch, height: head.height }, 'devnet replaced: a new epoch begins');
    return true;
  }

  async #read(cursor: PlacedCursor, head: ChainHead): Promise<boolean> {
    const { db, adapter, signal, clock, drain } = this.#options;
    if (head.height === cursor.height) return this.#readNothing(cursor, head);
    const isWatched = (address: string) => this.#watched.has(address);
    for (let height = cursor.height; height < head.height && !signal.aborted; ) {
      const to = head.height - height > BLOCKS_PER_STEP ? height + BLOCKS_PER_STEP : head.height;
      const blocks = await adapter.scan(height + 1n, to, isWatched);
      const run = { blocks, head, watched: this.#watched, seenAt: clock() };
      const { kind } = await recordBlocks(db, this.lease, run);
      if (kind === 'reorg') return this.#rollBack({ ...cursor, height }, head);
      if (kind === 'paused') return false;
      if (height === cursor.height) this.#reportResumption(cursor);
      height = to;
      await drain();
    }
    return false;
  }

  /** The head is where the cursor is: either the same block, which ends a pause, or a reorg of equal height. */
  async #readNothing(cursor: PlacedCursor, head: ChainHead): Promise<boolean> {
    if (head.hash !== cursor.hash) return this.#rollBack(cursor, head);
    if (cursor.pausedReason !== null) {
      await resumeCrediting(this.#options.db, this.lease);
      this.#reportResumption(cursor);
    }
    return false;
  }

  async #rollBack(cursor: PlacedCursor, head: ChainHead): Promise<boolean> {
    const { db, adapter, clock, logger } = this.#options;
    this.#guard.distrust();
    if (!(await this.#guard.isKnownChain(cursor))) return this.#leaveChain('foreign_chain', cursor, head);
    const blockAt = (height: bigint) => adapter.block(height);
    const result = await rollBack(db, this.lease, { blockAt, orphanedAt: clock() });
    if (result.kind === 'refused') return this.#leaveChain(result.reason, cursor, head);
    logger.warn({ coin: this.lease.coin, ...result }, 'reorg: rolled back to the fork');
    return true;
  }

  #reportResumption({ pausedReason }: Cursor): void {
    if (pausedReason !== null)
      this.#options.logger.warn({ coin: this.lease.coin, pausedReason }, 'the known chain is back: crediting goes on');
  }

  async #loadNewAddresses(): Promise<void> {
    const { db } = this.#options;
    this.#generation = await loadAddresses(db, this.#watched, { coin: this.lease.coin, generation: this.#generation });
  }

  async #recordGeneration(cursor: Cursor): Promise<void> {
    if (cursor.loadedGeneration >= this.#generation) return;
    await recordLoadedGeneration(this.#options.db, this.lease, this.#generation);
  }
}
