import { formatEther, JsonRpcProvider, Network, type TransactionResponse, Wallet } from 'ethers';
import type { Instance } from '@/starter/instance';
import { ETHEREUM_CHAIN_ID } from '@/starter/local-chain';
import { StartError } from '@/starter/start-error';
import { callControl } from '../control/call-control';

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
  provider.pollingInterval = 200;
  try {
    const wallet = Wallet.createRandom(provider);
    const { maxFeePerGas } = await provider.getFeeData();
    const gasLimit = await provider.estimateGas({ to: address, from: wallet.address, value: 0n });
    const feeUnits = gasLimit * 2n * (maxFeePerGas ?? 10n ** 11n);
    const amount = formatEther((amountUnits + feeUnits) * BigInt(times));
    await callControl(devnet, 'fund', { coin: 'ETH', address: wallet.address, amount, by: 'balance' });
    const sent: TransactionResponse[] = [];
    for (let nonce = 0; nonce < times; nonce++) {
      sent.push(await wallet.sendTransaction({ to: address, value: amountUnits, nonce, gasLimit }));
    }
    for (const transaction of sent) await untilMined(transaction);
    return sent.map(({ hash }) => hash);
  } finally {
    provider.destroy();
  }
}

async function untilMined(transaction: TransactionResponse): Promise<void> {
  const receipt = await transaction.wait(1, MINED_WITHIN_MS).catch((error: Error) => {
    throw new StartError(`Transaction ${transaction.hash} was not mined: ${error.message}`);
  });
  if (receipt?.status !== 1) throw new StartError(`Transaction ${transaction.hash} failed on chain.`);
}
