import { setTimeout as sleep } from 'node:timers/promises';
import { formatEther, JsonRpcProvider, Network, Wallet } from 'ethers';
import type { Instance } from '@/starter/instance';
import { StartError } from '@/starter/start-error';
import { callControl } from '../control/call-control';
import { ETHEREUM_CHAIN_ID } from '../ethereum/chain-id';

const MINED_WITHIN_MS = 60_000;

/**
 * Pays with real signed transactions from a key made for this call, so that payments side by side never share a nonce.
 *
 * @param devnet where the chain and the faucet are
 * @param address whom to pay
 * @param amountUnits wei per payment
 * @param times how many payments, each of the full amount
 * @returns the hashes, mined, in order
 * @throws {StartError} when one is not mined in time or fails
 */
export async function sendPayments(
  devnet: NonNullable<Instance['devnet']>,
  address: string,
  amountUnits: bigint,
  times: number,
): Promise<string[]> {
  const network = Network.from(ETHEREUM_CHAIN_ID);
  const provider = new JsonRpcProvider(`${devnet.url}/eth`, network, { staticNetwork: network });
  try {
    const wallet = Wallet.createRandom(provider);
    const { maxFeePerGas } = await provider.getFeeData();
    const gasLimit = await provider.estimateGas({ to: address, from: wallet.address, value: 0n });
    const feeUnits = gasLimit * 2n * (maxFeePerGas ?? 10n ** 11n);
    const amount = formatEther((amountUnits + feeUnits) * BigInt(times));
    await callControl(devnet, 'fund', { coin: 'ETH', address: wallet.address, amount, by: 'balance' });
    const sent: string[] = [];
    for (let nonce = 0; nonce < times; nonce++) {
      const { hash } = await wallet.sendTransaction({ to: address, value: amountUnits, nonce, gasLimit });
      sent.push(hash);
    }
    for (const hash of sent) await untilMined(provider, hash);
    return sent;
  } finally {
    provider.destroy();
  }
}

/** Asks again and again: ethers' own `wait` may look for the receipt at the next block only, which a held chain never makes. */
async function untilMined(provider: JsonRpcProvider, hash: string): Promise<void> {
  for (const deadline = Date.now() + MINED_WITHIN_MS; Date.now() < deadline; await sleep(100)) {
    const receipt = await provider.getTransactionReceipt(hash);
    if (receipt?.status === 1) return;
    if (receipt !== null) throw new StartError(`Transaction ${hash} failed on chain.`);
  }
  throw new StartError(`Transaction ${hash} was not mined within ${MINED_WITHIN_MS / 1000} s.`);
}
