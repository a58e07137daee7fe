import type { ChainHead, ChainReader } from '@/lib/chains/types';
import type { Cursor, PauseReason, PlacedCursor } from './cursor';

/** So many looks in a row must show a head that is lower still. */
const LOW_HEAD_ROUNDS = 3;

/** Tells whether the chain behind the node's URL is the one that the cursor stands on. */
export class ChainGuard {
  readonly #reader: ChainReader;
  readonly #toleratedLag: bigint;
  #isVerified = false;
  #lowHeadRounds = 0;

  /** @param toleratedLagBlocks how far a head may be below the cursor without meaning anything */
  constructor(reader: ChainReader, toleratedLagBlocks: number) {
    this.#reader = reader;
    this.#toleratedLag = BigInt(toleratedLagBlocks);
  }

  /** Another chain may be there by now: its identity is asked for again. */
  distrust(): void {
    this.#isVerified = false;
  }

  /** The cursor was just placed on this very chain. */
  trust(): void {
    this.#isVerified = true;
    this.#lowHeadRounds = 0;
  }

  /** Compares the chain's identity with the known one, unless that was done since the last doubt. */
  async isKnownChain(cursor: Cursor): Promise<boolean> {
    if (!this.#isVerified) this.#isVerified = (await this.#reader.genesisHash()) === cursor.genesisHash;
    return this.#isVerified;
  }

  /** Why the node's chain may not be ours, or null. */
  async doubt(cursor: PlacedCursor, head: ChainHead): Promise<PauseReason | null> {
    if (!(await this.isKnownChain(cursor))) return 'foreign_chain';
    this.#lowHeadRounds = head.height < cursor.height - this.#toleratedLag ? this.#lowHeadRounds + 1 : 0;
    return this.#lowHeadRounds >= LOW_HEAD_ROUNDS ? 'head_lower' : null;
  }
}
