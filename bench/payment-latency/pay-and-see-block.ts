import { JsonRpcProvider, parseEther, Wallet } from 'ethers';
import { callControl } from '@/devnet/control/call-control';
import type { Instance } from '@/starter/instance';

const LOOK_EACH_MS = 5;

/**
 * Pays from a fresh, funded account and watches the node, every 5 ms, for the block with the payment.
 * @param amount whole coins
 * @returns when the block could first be read, in milliseconds since the epoch
 */
export async function payAndSeeBlock(instance: Instance, address: string, amount: string): Promise<number> {
  if (!instance.devnet) throw new Error('The instance has no devnet.');
  const provider = new JsonRpcProvider(`${instance.devnet.url}/eth`, undefined, { cacheTimeout: -1, batchMaxCount: 1 });
  try {
    const customer = new Wallet(Wallet.createRandom().privateKey, provider);
    await callControl(instance.devnet, 'fund', { coin: 'ETH', address: customer.address, amount: '10', by: 'balance' });
    const { hash } = await customer.sendTransaction({ to: address, value: parseEther(amount) });
    for (;;) {
      const receipt = await provider.send('eth_getTransactionReceipt', [hash]);
      if (receipt !== null) return Date.now();
      await new Promise((resolve) => setTimeout(resolve, LOOK_EACH_MS));
    }
  } finally {
    provider.destroy();
  }
}
