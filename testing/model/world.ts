import { expireInvoices } from '@/lib/invoices/expire-invoices';
import { addSeconds, type Clock } from '@/lib/shared/time';
import { emptyTables } from '@/testing/empty-tables';
import { makePool, makeRate } from '@/testing/factories';
import { MemoryChain } from '@/testing/memory-chain';
import { MemoryNode } from '@/testing/memory-node';
import { type Books, type InvoiceRow, readBooks } from './books';
import { checkDecisions } from './check-decisions';
import { checkDeposits } from './check-deposits';
import { checkEvents } from './check-events';
import { checkLedger } from './check-ledger';
import { checkMemory } from './check-memory';
import { checkOwners } from './check-owners';
import { checkSums } from './check-sums';
import type { ModelDatabases } from './databases';
import { type ClockSkew, type ProcessClocks, processClocks, RIGHT } from './machine-clocks';
import type { KnownInvoice, Memory } from './memory';
import { type Merchant, type MerchantRules, makeMerchant, makePrimaryWallet } from './merchant';
import { Violation } from './violation';
import { keepVirtualTime } from './virtual-time';
import { WatcherPair } from './watcher-pair';

/** Long before now: the database's clock says of every virtual time that it is over, so that leases and ages never end. */
const STARTS_AT = new Date('2025-03-01T09:00:00Z');
const START_HEIGHT = 70;
/** Fewer than a run needs: further ones must be loaded by a watcher before they are given out. */
const FIRST_ADDRESSES = 6;

export interface WorldOptions {
  databases: ModelDatabases;
  seed: string;
  confirmations: number;
  rules: MerchantRules;
  /** The other merchant's; the same unless they are given. */
  otherRules?: MerchantRules;
  /** How far the database's clock is from the chain's, in seconds; negative is behind. */
  databaseSkewSeconds?: number;
  machineSkewSeconds?: ClockSkew;
  /** The chain is a devnet, which may be replaced by another. */
  isDevnet?: boolean;
}

/** What a world begins with. */
type Beginning = Pick<World, 'chain' | 'clocks' | 'merchants' | 'books'>;

/** The owner of an invoice. */
export function userIdOf(world: World, { merchant }: Pick<KnownInvoice, 'merchant'>): number {
  return world.merchants[merchant].userId;
}

/** The product around a chain in memory: two watchers of which one reads, the other processes, and two merchants. */
export class World {
  readonly databases: ModelDatabases;
  readonly chain: MemoryChain;
  readonly node: MemoryNode;
  readonly watchers: WatcherPair;
  readonly merchants: readonly [Merchant, Merchant];
  readonly isDevnet: boolean;
  readonly addresses = new Set<string>();
  primaryAddress = '';
  books: Books;
  /** The time as each process sees it. */
  readonly clocks: ProcessClocks;
  #generation = 0n;
  #peakHeight = 0;
  #startHeight = START_HEIGHT;
  #replacements = 0;

  private constructor(options: WorldOptions, { chain, clocks, merchants, books }: Beginning) {
    const { databases, confirmations, isDevnet = false } = options;
    this.databases = databases;
    this.chain = chain;
    this.node = new MemoryNode({ chain });
    this.clocks = clocks;
    this.merchants = merchants;
    this.isDevnet = isDevnet;
    this.books = books;
    this.watchers = new WatcherPair({
      databases,
      node: this.node,
      clock: this.clocks.watcher,
      confirmations,
      isDevnet,
    });
  }

  /** An empty database, two merchants, a pool, and a watcher that stands on the chain's head. */
  static async open(options: WorldOptions): Promise<World> {
    const { owner } = options.databases;
    await emptyTables(owner.pool);
    await owner.pool.query('TRUNCATE outgoing_mail, watcher_outage, deposit_attribution, coin_rate');
    await keepVirtualTime(owner.pool);
    const { rules, otherRules = rules } = options;
    const merchants = [
      await makeMerchant(options.databases, rules),
      await makeMerchant(options.databases, otherRules),
    ] as const;
    const { seed, databaseSkewSeconds: skew = 0, machineSkewSeconds = RIGHT } = options;
    const chain = new MemoryChain({ seed, startsAt: addSeconds(STARTS_AT, -skew), height: START_HEIGHT });
    const clocks = await processClocks(() => addSeconds(chain.clock(), skew), machineSkewSeconds);
    const world = new World(options, { chain, clocks, merchants, books: await readBooks(owner.pool) });
    await world.addToPool(FIRST_ADDRESSES);
    for (const address of await makePool(owner.pool, { count: 2, purpose: 'primary' })) world.addresses.add(address);
    await world.tick();
    world.primaryAddress = await makePrimaryWallet(options.databases, world.merchant, world.clock);
    return world;
  }

  /** The first merchant: whose it is does not matter. */
  get merchant(): Merchant {
    return this.merchants[0];
  }

  get rules(): readonly [MerchantRules, MerchantRules] {
    return [this.merchants[0].rules, this.merchants[1].rules];
  }

  /** The time as the web process sees it. */
  get clock(): Clock {
    return this.clocks.web;
  }

  /** Nothing is wrong with the node: a look leads to the head. */
  get isReadable(): boolean {
    return this.node.isHealthy && this.books.cursor?.pausedReason === null;
  }

  /** Addresses that a watcher will have to load before they can be assigned. */
  async addToPool(count: number): Promise<void> {
    const { pool } = this.databases.owner;
    this.#generation += 1n;
    for (const address of await makePool(pool, { count, generation: this.#generation })) this.addresses.add(address);
    await pool.query(
      `INSERT INTO pool_generation VALUES ('EVM', $1) ON CONFLICT (family) DO UPDATE SET generation = $1`,
      [this.#generation],
    );
  }

  async refreshRate(): Promise<void> {
    await makeRate(this.databases.owner.pool, { at: this.clock() });
  }

  /** The watcher that reads looks at the node. */
  async tick(): Promise<void> {
    await this.watchers.tick();
  }

  /**
   * The watchers look at a node that works until the head is read: at once, or after they found out who lost the lease.
   * @throws Violation when they do not get there
   */
  async catchUp(): Promise<void> {
    for (let looks = 0; looks < 4; looks += 1) {
      await this.tick();
      const { rows } = await this.databases.owner.pool.query<{ hash: string }>('SELECT hash FROM chain_cursor');
      if (rows[0]?.hash === this.chain.tip.hash) return;
      this.watchers.swap();
    }
    throw new Violation('a look reaches the head', this.chain.tip.hash);
  }

  async expire(): Promise<void> {
    await expireInvoices(this.databases.dispatcher, this.clocks.dispatcher);
  }

  /** The devnet is started anew, and its watcher finds another chain. What was read before is decided on first. */
  async replaceChain(remember: (invoices: readonly InvoiceRow[]) => void): Promise<void> {
    this.node.heal();
    await this.catchUp();
    remember((await readBooks(this.databases.owner.pool)).invoices);
    this.#replacements += 1;
    // Longer than the old one: a head that is lower may be a node that lags, and means nothing at first.
    this.#startHeight = this.chain.height + 3;
    this.chain.replace(`replacement ${this.#replacements}`, this.#startHeight);
    await this.catchUp();
    this.#peakHeight = 0;
  }

  /** Reads everything that is stored and holds it against the chain, the facts and the memory. @throws Violation */
  async inspect(memory: Memory, { isExpiryDone = false } = {}): Promise<void> {
    const books = await readBooks(this.databases.owner.pool);
    const before = this.books;
    this.books = books;
    this.#peakHeight = Math.max(this.#peakHeight, Number(books.cursor?.height ?? 0));
    const peakHeight = this.#peakHeight;
    checkLedger(books);
    const { chain, addresses: ourAddresses } = this;
    const { attached } = memory;
    const startHeight = this.#startHeight;
    checkDeposits(books, { chain, ourAddresses, startHeight, peakHeight, before, attached });
    checkSums(books, { before, peakHeight });
    checkDecisions(books, { now: this.clocks.dispatcher(), peakHeight, isExpiryDone });
    checkEvents(books, (invoice) => this.#merchantOf(invoice).keysOf(invoice));
    checkOwners(books, memory, this.merchants);
    checkMemory(books, memory);
  }

  #merchantOf({ userId }: InvoiceRow): Merchant {
    return this.merchants[1].userId === userId ? this.merchants[1] : this.merchants[0];
  }

  async close(): Promise<void> {
    await this.watchers.close();
  }
}
