import { CreateInvoiceBody } from '@/lib/api-schema/invoices';
import { createInvoice } from '@/lib/invoices/create-invoice';
import type { InvoiceRow } from './books';
import type { ModelDatabases } from './databases';
import { type KnownInvoice, type Memory, newMemory } from './memory';
import { World, type WorldOptions } from './world';

/** An invoice whose coin is chosen. */
export type PricedInvoice = KnownInvoice & { priced: NonNullable<KnownInvoice['priced']> };

/** A world for a story that a test tells step by step; whatever is read of it, all invariants hold at that moment. */
export class Scenario {
  readonly world: World;
  readonly memory: Memory = newMemory();

  private constructor(world: World) {
    this.world = world;
  }

  static async open(databases: ModelDatabases, options: Partial<WorldOptions> = {}): Promise<Scenario> {
    const rules = { latePolicy: 'review', toleranceBasisPoints: 0 } as const;
    return new Scenario(await World.open({ databases, seed: 'scenario', confirmations: 3, rules, ...options }));
  }

  /** A pending invoice of 100 EUR, made on the screen, in the coin of the chain. */
  async invoice({ minutes = 60 } = {}): Promise<PricedInvoice> {
    const { databases, merchant, clock } = this.world;
    await this.world.refreshRate();
    const body = CreateInvoiceBody.parse({ amountEuro: 100, expiryMinutes: minutes, cryptoType: 'ETH' });
    const made = await createInvoice(databases.web, { userId: merchant.userId, apiKeyId: null }, body, clock);
    const priced = { address: made.wallet?.address.toLowerCase() ?? '', dueUnits: BigInt(made.amountUnits ?? 0) };
    const invoice = {
      merchant: 0 as const,
      id: made.id,
      uuid: made.uuid,
      expiresAt: new Date(made.expiryDate),
      priced,
    };
    this.memory.invoices.push(invoice);
    return invoice;
  }

  /** Sends what is due, or another amount, into the mempool. */
  pay({ priced }: PricedInvoice, amountUnits = priced.dueUnits): void {
    this.world.chain.send({ to: priced.address, amountUnits });
  }

  /** Mines, and lets the watcher read it. */
  async mine(blocks = 1): Promise<void> {
    this.world.chain.mine(blocks);
    await this.world.tick();
  }

  /** Waits for the block of a certain time, and lets the watcher read it. */
  async mineAt(time: Date): Promise<void> {
    this.world.chain.mineAt(time);
    await this.world.tick();
  }

  /** The stored invoice, after everything was inspected. @throws Violation */
  async read({ uuid }: KnownInvoice): Promise<InvoiceRow> {
    await this.world.inspect(this.memory);
    const row = this.world.books.invoices.find((invoice) => invoice.uuid === uuid);
    if (!row) throw new Error(`Invoice ${uuid} is gone.`);
    return row;
  }

  /** Status and payment state, and every status that it had. */
  async stateOf(invoice: KnownInvoice): Promise<{ status: string; paymentState: string; history: string[] }> {
    const { status, paymentState, history } = await this.read(invoice);
    return { status, paymentState, history };
  }
}
