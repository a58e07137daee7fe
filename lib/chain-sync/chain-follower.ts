import type { ChainSettings } from '@/lib/chains/definition';
import type { ChainHead, ChainReader, ChainTraits } from '@/lib/chains/types';
import type { Database } from '@/lib/db/database';
import { queueRecentDeposits } from '@/lib/deposits/queue-repository';
import type { Logger } from '@/lib/logging/logger';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { ChainGuard } from './chain-guard';
import { reportOutgoing, reportPause, reportResumption } from './chain-news';
import { applyRule, type ChainStart, readChainStart, resetEpoch, startCursor } from './chain-start';
import { noteLook } from './chain-time';
import { type Cursor, isStoppedByOperator, type PauseReason, type PlacedCursor } from './cursor';
import { endBranch, setPause } from './cursor-repository';
import type { Lease } from './lease';
import { placeOf } from './progress';
import { ProgressKeeper } from './progress-keeper';
import { type Recording, recordBlocks, recordMempool } from './record-blocks';
import { Rescanner } from './rescanner';
import { rollBack } from './roll-back';
import { WatchedAddresses } from './watched-addresses';

export interface ChainFollowerOptions {
  db: Database;
  reader: ChainReader;
  lease: Lease;
  settings: Pick<ChainSettings, 'confirmation' | 'isDevnet'>;
  traits: ChainTraits;
  /** Told when a commit may have queued settlements; what settles them may be a loop of its own. */
  drain: () => Promise<unknown>;
  signal: AbortSignal;
  clock: Clock;
  logger: Logger;
}

/** So long blocks are read before the node is looked at again. */
const LONGEST_READ_SECONDS = 10;

/** Reads one chain under one lease: blocks become deposits and the cursor follows. */
export class ChainFollower {
  readonly #options: ChainFollowerOptions;
  readonly #guard: ChainGuard;
  readonly #watched: WatchedAddresses;
  readonly #rescanner: Rescanner;
  readonly #toleratedAheadSeconds: number | null;
  /** How far the chain is followed, as far as this follower knows. */
  readonly progress: ProgressKeeper;

  constructor(options: ChainFollowerOptions) {
    this.#options = options;
    this.#guard = new ChainGuard(options.reader, options.traits.toleratedLagBlocks);
    this.#watched = new WatchedAddresses(options.db, options.lease);
    this.#rescanner = new Rescanner(options);
    this.#toleratedAheadSeconds = options.settings.isDevnet ? null : options.traits.toleratedAheadSeconds;
    this.progress = new ProgressKeeper(options);
  }

  get lease(): Lease {
    return this.#options.lease;
  }

  /** Loads every address and queues again what an earlier watcher may have left undecided. */
  async open(): Promise<void> {
    const { db, settings, clock } = this.#options;
    await this.#watched.load();
    await applyRule(db, this.lease, settings.confirmation, clock());
    await queueRecentDeposits(db.pool, this.lease.chain);
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
    const { db, reader, traits, drain } = this.#options;
    const head = await reader.head();
    const look = await noteLook(db, this.lease, head, this.#toleratedAheadSeconds);
    const { poolGeneration, lookedAt, unreadSince, ...cursor } = look;
    await this.progress.note({ cursor, head, lookedAt, unreadBefore: unreadSince });
    // Before any further block: an address must be watched before it can be assigned and paid.
    if (poolGeneration > this.#watched.generation) await this.#watched.load();
    const mustReadOn = isStoppedByOperator(cursor) ? false : await this.#follow(cursor, head, lookedAt);
    if (mustReadOn) return true;
    await this.#rescanner.run({ ...this.#recording(), reader, traits });
    await drain();
    return false;
  }

  /** Sets the pause, once, and says so to the operator. */
  async pause(reason: PauseReason, cursor?: Cursor): Promise<void> {
    if (cursor?.pausedReason === reason) return;
    await setPause(this.#options.db.pool, this.lease, reason);
    reportPause(this.#options.logger, { chain: this.lease.chain, reason, height: cursor?.height });
  }

  async #follow(cursor: Cursor, head: ChainHead, lookedAt: Date): Promise<boolean> {
    if (cursor.height === null) return this.#start(head);
    const placed = { ...cursor, height: cursor.height };
    const doubt = await this.#guard.doubt(placed, head);
    if (doubt) return this.#leaveChain(doubt, placed, head);
    if (cursor.loadedGeneration < this.#watched.generation) await this.#watched.record();
    const mustReadOn = await this.#read(placed, head, lookedAt);
    if (!mustReadOn && this.#options.traits.seesMempool) await this.#look(placed, head);
    return mustReadOn;
  }

  #chainStart(head: ChainHead): Promise<ChainStart> {
    const { reader, traits, settings } = this.#options;
    const { ancestorsAtStart } = traits;
    const toleratedAheadSeconds = this.#toleratedAheadSeconds;
    return readChainStart(reader, head, { ancestorsAtStart, rule: settings.confirmation, toleratedAheadSeconds });
  }

  async #start(head: ChainHead): Promise<boolean> {
    const { db, logger } = this.#options;
    const start = await this.#chainStart(head);
    await startCursor(db, this.lease, start);
    this.#guard.trust();
    const { genesisHash } = start;
    logger.info(
      { chain: this.lease.chain, height: head.height, genesisHash },
      'first start: reading begins at the head',
    );
    return true;
  }

  /** A chain that is not the one we know: a devnet begins anew, any other chain is paused. */
  async #leaveChain(reason: PauseReason, cursor: PlacedCursor, head: ChainHead): Promise<boolean> {
    const { db, settings, logger } = this.#options;
    if (!settings.isDevnet) {
      await this.pause(reason, cursor);
      return false;
    }
    const epoch = await resetEpoch(db, this.lease, await this.#chainStart(head));
    this.#guard.trust();
    logger.warn({ chain: this.lease.chain, reason, epoch, height: head.height }, 'devnet replaced: a new epoch begins');
    return true;
  }

  async #read(cursor: PlacedCursor, head: ChainHead, lookedAt: Date): Promise<boolean> {
    const { db, reader, signal, traits, drain, clock, logger } = this.#options;
    if (head.height === cursor.height) return this.#readNothing(cursor, head);
    const step = BigInt(traits.blocksPerStep);
    const until = addSeconds(clock(), LONGEST_READ_SECONDS);
    for (let height = cursor.height; height < head.height && !signal.aborted && clock() < until; ) {
      const to = head.height - height > step ? height + step : head.height;
      const blocks = await reader.scan(height + 1n, to, this.#watched.isWatched);
      const run = { ...this.#recording(), blocks, head, toleratedAheadSeconds: this.#toleratedAheadSeconds };
      const { kind } = await recordBlocks(db, this.lease, run);
      if (kind === 'reorg') return this.#rollBack({ ...cursor, height }, head);
      if (kind === 'paused') return false;
      reportOutgoing(logger, this.lease.chain, blocks);
      if (height === cursor.height) reportResumption(logger, cursor);
      height = to;
      await this.progress.note({ cursor: placeOf(blocks), head, lookedAt, unreadBefore: null });
      await drain();
    }
    return false;
  }

  /** What waits in the mempool; a sight ends only when surely no block has taken it. */
  async #look(cursor: PlacedCursor, before: ChainHead): Promise<void> {
    const { db, reader, signal } = this.#options;
    const sights = await reader.mempool(this.#watched.isWatched);
    const isReadToHead = before.height >= cursor.height && !signal.aborted;
    const isComplete = isReadToHead && (await reader.head()).hash === before.hash;
    await recordMempool(db, this.lease, sights, { ...this.#recording(), isComplete });
  }

  #recording(): Recording {
    const { settings, traits, clock } = this.#options;
    return { rule: settings.confirmation, traits, watched: this.#watched.ids, seenAt: clock() };
  }

  /** The head is where the cursor is: either the same block, which ends a pause, or a reorg of equal height. */
  async #readNothing(cursor: PlacedCursor, head: ChainHead): Promise<boolean> {
    if (head.hash !== cursor.hash) return this.#rollBack(cursor, head);
    if (cursor.branchHeight !== null) await endBranch(this.#options.db.pool, this.lease);
    if (cursor.pausedReason !== null) {
      await setPause(this.#options.db.pool, this.lease, null);
      reportResumption(this.#options.logger, cursor);
    }
    return false;
  }

  async #rollBack(cursor: PlacedCursor, head: ChainHead): Promise<boolean> {
    const { db, reader, settings, clock, logger } = this.#options;
    this.#guard.distrust();
    if (!(await this.#guard.isKnownChain(cursor))) return this.#leaveChain('foreign_chain', cursor, head);
    const blockAt = (height: bigint) => reader.block(height);
    const branch = { blockAt, headHeight: head.height };
    const result = await rollBack(db, this.lease, { ...branch, rule: settings.confirmation, orphanedAt: clock() });
    if (result.kind === 'refused') return this.#leaveChain(result.reason, cursor, head);
    logger.warn({ chain: this.lease.chain, ...result }, 'reorg: rolled back to the fork');
    return true;
  }
}
