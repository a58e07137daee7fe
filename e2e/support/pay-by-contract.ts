import { JsonRpcProvider, Network, parseEther, Wallet } from 'ethers';
import { callControl } from '@/devnet/control/call-control';
import { ETHEREUM_CHAIN_ID } from '@/devnet/ethereum/chain-id';
import type { Instance } from '@/starter/instance';

/**
 * Sends money from a contract: a creation whose code passes its value on. No transaction is sent to the address, so that
 * no reading of blocks sees it; its balance alone tells.
 *
 * @param amount whole ETH, decimal text
 */
export async function payByContract(instance: Instance, address: string, amount: string): Promise<void> {
  const { devnet } = instance;
  if (devnet === null) throw new Error('The instance has no devnet.');
  const network = Network.from(ETHEREUM_CHAIN_ID);
  const provider = new JsonRpcProvider(`${devnet.url}/eth`, network, { staticNetwork: network });
  try {
    const wallet = Wallet.createRandom(provider);
    await callControl(devnet, 'fund', { coin: 'ETH', address: wallet.address, amount: '1', by: 'balance' });
    // CALL(gas, address, callvalue, no data, no answer)
    const code = `0x60006000600060003473${address.slice(2)}5af100`;
    const { hash } = await wallet.sendTransaction({ data: code, value: parseEther(amount) });
    await provider.waitForTransaction(hash, 1, 30_000);
  } finally {
    provider.destroy();
  }
}
