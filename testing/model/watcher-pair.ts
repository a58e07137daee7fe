import { pino } from 'pino';
import { ChainWatcher } from '@/lib/chain-sync/chain-watcher';
import { chainDefinition } from '@/lib/chains/registry';
import { drainSettlements } from '@/lib/invoices/drain-settlements';
import type { Clock } from '@/lib/shared/time';
import type { MemoryNode } from '@/testing/memory-node';
import type { ModelDatabases } from './databases';

/** No lease ends by itself: who holds it is up to the commands. */
const LEASE_TTL_MS = 3_600_000;
const SILENT = pino({ level: 'silent' });

export interface WatcherPairOptions {
  databases: ModelDatabases;
  node: MemoryNode;
  clock: Clock;
  confirmations: number;
  isDevnet: boolean;
}

/** How a watcher ends: gently, or killed in the middle of its work. */
export type Death = 'gentle' | 'before commit' | 'before drain';

/** Two real watchers of one chain, of which one holds the lease and reads. */
export class WatcherPair {
  readonly #options: WatcherPairOptions;
  readonly #watchers: [ChainWatcher, ChainWatcher];
  #reading: 0 | 1 = 0;
  #diesBeforeDrain = false;

  constructor(options: WatcherPairOptions) {
    this.#options = options;
    this.#watchers = [this.#newWatcher(), this.#newWatcher()];
  }

  /** The watcher that reads looks at the node; or, on demand, the other. */
  async tick(who: 'reader' | 'other' = 'reader'): Promise<void> {
    await this.#watchers[who === 'reader' ? this.#reading : this.#other].tick();
  }

  /** From now on the other one is the reader. */
  swap(): void {
    this.#reading = this.#other;
  }

  /** The reader ends and a new one takes its place. */
  async restart(death: Death): Promise<void> {
    const { node } = this.#options;
    if (death === 'before drain') this.#diesBeforeDrain = true;
    if (death === 'before commit') node.beforeNextScan(() => Promise.reject(new Killed()));
    if (death !== 'gentle') await this.tick().catch(forgiveDeath);
    this.#diesBeforeDrain = false;
    node.forgetHappening();
    await this.#watchers[this.#reading].close();
    this.#watchers[this.#reading] = this.#newWatcher();
    await this.tick();
  }

  /** The other watcher takes the lease, as after a pause of the reader, and reads. The reader does not know it yet. */
  async takeOver(): Promise<void> {
    await this.#options.databases.owner.pool.query(`UPDATE chain_cursor SET lease_expires_at = now() - interval '1 s'`);
    this.swap();
    await this.tick();
  }

  async close(): Promise<void> {
    await Promise.all(this.#watchers.map((watcher) => watcher.close()));
  }

  get #other(): 0 | 1 {
    return this.#reading === 0 ? 1 : 0;
  }

  #newWatcher(): ChainWatcher {
    const { databases, node, clock, confirmations, isDevnet } = this.#options;
    return new ChainWatcher({
      db: databases.watcher,
      reader: node,
      settings: { confirmation: { kind: 'count', blocks: confirmations }, isDevnet, pollMs: 0 },
      traits: chainDefinition('ethereum').traits,
      drain: async (chain) => {
        if (this.#diesBeforeDrain) throw new Killed();
        await drainSettlements(databases.watcher, chain, clock);
      },
      signal: new AbortController().signal,
      clock,
      logger: SILENT,
      leaseTtlMs: LEASE_TTL_MS,
    });
  }
}

/** A process's sudden end. */
class Killed extends Error {}

function forgiveDeath(error: unknown): void {
  if (!(error instanceof Killed)) throw error;
}
