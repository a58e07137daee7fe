import { z } from 'zod';
import { callControl } from '@/devnet/control/call-control';
import { EXPIRY_MINUTES, type ExpiryMinutes } from '@/lib/shared/limits';
import type { Instance } from '@/starter/instance';

/** What an Ethereum block may still bring after an invoice's end, and a little more. */
const BEYOND_SECONDS = 90;

type Devnet = NonNullable<Instance['devnet']>;

/** The local chain's own clock, which runs ahead of the wall's once it was moved. Only for tests that run alone. */
export class ChainClock {
  readonly #devnet: Devnet;

  constructor({ devnet }: Instance) {
    if (devnet === null) throw new Error('The instance has no devnet.');
    this.#devnet = devnet;
  }

  /** A validity whose end the chain has not passed yet. */
  async expiryAhead(): Promise<ExpiryMinutes> {
    const chainNow = await this.#now();
    const ahead = EXPIRY_MINUTES.find((minutes) => Date.now() + minutes * 60_000 > chainNow + 60_000);
    if (ahead === undefined) throw new Error('The chain is a day ahead.');
    return ahead;
  }

  /** Moves the chain's clock past the end of an invoice and makes a block at the new time. */
  async passExpiry({ expiryDate }: { expiryDate: string }): Promise<void> {
    const target = Date.parse(expiryDate) + BEYOND_SECONDS * 1000;
    const seconds = Math.max(0, Math.ceil((target - (await this.#now())) / 1000));
    await this.#call('evm_increaseTime', [seconds], z.unknown());
    await callControl(this.#devnet, 'mine', { coin: 'ETH', blocks: 1 });
  }

  async #now(): Promise<number> {
    const block = z.object({ timestamp: z.string() });
    return Number((await this.#call('eth_getBlockByNumber', ['latest', false], block)).timestamp) * 1000;
  }

  async #call<T>(method: string, params: unknown[], schema: z.ZodType<T>): Promise<T> {
    const response = await fetch(`${this.#devnet.url}/eth`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.#devnet.controlToken}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return schema.parse(z.object({ result: z.unknown() }).parse(await response.json()).result);
  }
}
