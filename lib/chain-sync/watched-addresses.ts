import type { Database } from '@/lib/db/database';
import { CHAIN_INFO } from '@/lib/shared/chains';
import type { Lease } from './lease';
import { listPoolAddresses, readPoolGeneration, setLoadedGeneration } from './watched-repository';

const PAGE_SIZE = 10_000;

/**
 * The addresses that the holder of a lease looks for: all of its chain's family, assigned or not, in memory. An address may
 * be assigned only when its generation was loaded here and recorded, so that it is watched before anybody can pay to it.
 */
export class WatchedAddresses {
  /** Canonical address → id of its pool row. */
  readonly ids = new Map<string, bigint>();
  readonly #db: Database;
  readonly #lease: Lease;
  #generation = 0n;

  constructor(db: Database, lease: Lease) {
    this.#db = db;
    this.#lease = lease;
  }

  get generation(): bigint {
    return this.#generation;
  }

  readonly isWatched = (address: string): boolean => this.ids.has(address);

  /**
   * Loads the generations that are newer than what is in memory. The committed generation is read before the rows, so that
   * none of it can be missing; rows of a newer one may come along.
   */
  async load(): Promise<void> {
    const { family } = CHAIN_INFO[this.#lease.chain];
    const committed = await readPoolGeneration(this.#db.pool, family);
    if (committed <= this.#generation) return;
    for (let afterId = 0n, isMore = true; isMore; ) {
      const page = { family, generation: this.#generation, afterId, limit: PAGE_SIZE };
      const rows = await listPoolAddresses(this.#db.pool, page);
      for (const { id, address } of rows) this.ids.set(address, id);
      afterId = rows.at(-1)?.id ?? afterId;
      isMore = rows.length === PAGE_SIZE;
    }
    this.#generation = committed;
  }

  /**
   * Declares what is in memory: from now on it may be assigned. Only while blocks are read no further than before the load.
   * @throws LeaseLostError
   */
  async record(): Promise<void> {
    await setLoadedGeneration(this.#db.pool, this.#lease, this.#generation);
  }
}
