import { expect } from '@playwright/test';
import { z } from 'zod';
import { callControl } from '@/devnet/control/call-control';
import { callNode } from '@/devnet/ethereum/call-node';
import type { Instance } from '@/starter/instance';
import { pay } from './pay';

/** Longer than a test looks on a busy machine, so that one that forgets the chain does not hold it for the others. */
const PAUSE_SECONDS = 90;

/** The local chain while it makes no block of itself: every state of a payment lasts as long as a test looks at it. */
export interface HeldChain {
  /** Makes blocks, one unless told otherwise. */
  mine(blocks?: number): Promise<void>;
  /**
   * Pays an invoice with what remains, in exactly one new block.
   *
   * @param invoice an invoice with a coin
   * @returns hash of the mined transaction
   */
  pay(invoice: { uuid: string; wallet: { address: string } | null }): Promise<string>;
}

/**
 * Holds the instance's chain still while something is looked at; afterwards its blocks come again. One test at a time:
 * another one that calls this waits, and so do payments.
 */
export async function whileChainIsHeld<T>(instance: Instance, look: (chain: HeldChain) => Promise<T>): Promise<T> {
  const { devnet } = instance;
  if (devnet === null) throw new Error('The instance has no devnet.');
  const { pause } = await callControl(devnet, 'pause', { coin: 'ETH', seconds: PAUSE_SECONDS });
  const mine = async (blocks = 1) => {
    await callControl(devnet, 'mine', { coin: 'ETH', blocks, pause });
  };
  const balance = (address: string, block: 'pending' | 'latest') =>
    callNode(`${devnet.url}/eth`, 'eth_getBalance', [address, block], z.string().transform(BigInt));
  const payInOneBlock: HeldChain['pay'] = async ({ uuid, wallet }) => {
    const address = wallet?.address ?? '';
    const before = await balance(address, 'latest');
    const [hash] = await Promise.all([
      pay(instance, uuid),
      expect
        .poll(async () => (await balance(address, 'pending')) > before, { timeout: 30_000, intervals: [50, 100] })
        .toBe(true)
        .then(() => mine()),
    ]);
    return hash;
  };
  const resume = () => callControl(devnet, 'resume', { coin: 'ETH', pause });
  let seen: T;
  try {
    seen = await look({ mine, pay: payInOneBlock });
  } catch (error) {
    // What went wrong first is told, whatever has become of the pause by then.
    await resume().catch(() => undefined);
    throw error;
  }
  await resume();
  return seen;
}
