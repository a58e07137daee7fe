import { setTimeout as sleep } from 'node:timers/promises';
import { parseEther, Wallet } from 'ethers';
import { z } from 'zod';
import { callNode } from './call-node';
import { ETHEREUM_CHAIN_ID } from './chain-id';

const hex = z.string().regex(/^0x[0-9a-f]+$/);
const receiptSchema = z.object({ status: hex }).nullable();
const MINED_WITHIN_MS = 30_000;

type Faucet = {
  /** Sends coins with a transaction of their own and waits until it is mined; returns its hash. */
  send(address: string, amountUnits: bigint): Promise<string>;
  /** Adds coins to a balance at once, without any transaction: for the gas and the purse of a test customer. */
  grant(address: string, amountUnits: bigint): Promise<void>;
};

/**
 * A purse that never runs dry, under a key that lives as long as this process.
 *
 * @param nodeUrl the local node's address
 */
export function createFaucet(nodeUrl: string): Faucet {
  const wallet = Wallet.createRandom();
  let nonce: number | undefined;
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
  const grantNow = async (address: string, amountUnits: bigint) => {
    const balance = BigInt(await callNode(nodeUrl, 'eth_getBalance', [address, 'latest'], hex));
    await callNode(nodeUrl, 'anvil_setBalance', [address, `0x${(balance + amountUnits).toString(16)}`], z.unknown());
  };
  const broadcast = async (address: string, amountUnits: bigint) => {
    await grantNow(wallet.address, amountUnits + parseEther('1'));
    nonce ??= Number(await callNode(nodeUrl, 'eth_getTransactionCount', [wallet.address, 'pending'], hex));
    const gasPrice = BigInt(await callNode(nodeUrl, 'eth_gasPrice', [], hex));
    const target = { from: wallet.address, to: address, value: `0x${amountUnits.toString(16)}` };
    const gas = await callNode(nodeUrl, 'eth_estimateGas', [target], hex);
    const signed = await wallet.signTransaction({
      type: 2,
      chainId: ETHEREUM_CHAIN_ID,
      nonce,
      to: address,
      value: amountUnits,
      gasLimit: gas,
      maxFeePerGas: gasPrice * 2n,
      maxPriorityFeePerGas: gasPrice,
    });
    const hash = await callNode(nodeUrl, 'eth_sendRawTransaction', [signed], hex);
    nonce += 1;
    return hash;
  };
  return {
    grant: (address, amountUnits) => inTurn(() => grantNow(address, amountUnits)),
    send: async (address, amountUnits) => {
      const hash = await inTurn(() => broadcast(address, amountUnits));
      await waitUntilMined(nodeUrl, hash);
      return hash;
    },
  };
}

async function waitUntilMined(nodeUrl: string, hash: string): Promise<void> {
  for (const deadline = Date.now() + MINED_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
    const receipt = await callNode(nodeUrl, 'eth_getTransactionReceipt', [hash], receiptSchema);
    if (receipt === null) continue;
    if (receipt.status !== '0x1') throw new Error(`transaction ${hash} failed on chain`);
    return;
  }
  throw new Error(`transaction ${hash} was not mined within ${MINED_WITHIN_MS / 1000} s`);
}
