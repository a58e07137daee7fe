import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { callNode } from './call-node';

const BLOCK_SECONDS = 2;
/** Twice what a kill -9 can lose (the longest pause between two saves), in blocks. */
const MOST_MISSED_BLOCKS = 8;

const quantity = z.string().transform(Number);
const headSchema = z.object({ timestamp: quantity });

type Pause = { id: string; end: () => void; timer: NodeJS.Timeout };

/**
 * Makes the local chain's blocks: one every two seconds whether or not there are transactions, and more when asked. Its
 * pauses hold the chain still, one at a time, for a test that looks at a state which lasts between two blocks.
 */
export class BlockMaker {
  readonly #url: string;
  /** Settles when nobody before has the chain to himself. */
  #turn: Promise<unknown> = Promise.resolve();
  #pause: Pause | undefined;

  /** @param url address of a node that makes no block by itself */
  constructor(url: string) {
    this.#url = url;
  }

  /**
   * Begins making blocks. First come some of those that were missed: a kill -9 takes the last blocks, and a head below
   * one that was seen would look like another chain.
   *
   * @param now Unix time in milliseconds
   */
  async start(now: number): Promise<void> {
    const { timestamp } = await callNode(this.#url, 'eth_getBlockByNumber', ['latest', false], headSchema);
    const missed = Math.floor((now / 1000 - timestamp) / BLOCK_SECONDS);
    if (missed > 0) await this.#mineNow(Math.min(missed, MOST_MISSED_BLOCKS));
    await this.#setInterval(BLOCK_SECONDS);
  }

  /**
   * Makes blocks now; while the chain is held, only the holder's, others wait.
   *
   * @param pause the holder's pause
   * @returns the new height, or undefined when that pause is over
   */
  async mine(blocks: number, pause?: string): Promise<number | undefined> {
    if (pause !== undefined) return pause === this.#pause?.id ? this.#mineNow(blocks) : undefined;
    const mined = this.#turn.then(() => this.#mineNow(blocks));
    this.#turn = mined.catch(() => undefined);
    return mined;
  }

  /**
   * Holds the chain still, once whoever holds it now has let it go.
   *
   * @param seconds after which the pause ends by itself
   * @returns its name, for `resume` and `mine`
   */
  async pause(seconds: number): Promise<string> {
    const before = this.#turn;
    let end: () => void = () => undefined;
    const over = new Promise<void>((resolve) => {
      end = resolve;
    });
    this.#turn = before.then(() => over);
    await before;
    const id = randomUUID();
    this.#pause = { id, end, timer: setTimeout(() => void this.#end(id), seconds * 1000).unref() };
    await this.#setInterval(0);
    return id;
  }

  /**
   * Lets the chain go on.
   *
   * @returns false when the pause was over already
   */
  async resume(id: string): Promise<boolean> {
    const pause = this.#pause;
    if (pause?.id !== id) return false;
    this.#pause = undefined;
    clearTimeout(pause.timer);
    await this.#setInterval(BLOCK_SECONDS).finally(pause.end);
    return true;
  }

  /** A node that is gone has no blocks to make: the devnet ends with it. */
  async #end(id: string): Promise<void> {
    await this.resume(id).catch(() => false);
  }

  async #mineNow(blocks: number): Promise<number> {
    await callNode(this.#url, 'anvil_mine', [`0x${blocks.toString(16)}`], z.unknown());
    return callNode(this.#url, 'eth_blockNumber', [], quantity);
  }

  /** Of blocks made without being asked for; 0 stops them. */
  async #setInterval(seconds: number): Promise<void> {
    await callNode(this.#url, 'evm_setIntervalMining', [seconds], z.unknown());
  }
}
