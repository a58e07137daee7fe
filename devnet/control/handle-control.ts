import { getAddress, isAddress, parseEther } from 'ethers';
import { z } from 'zod';
import { callNode } from '../ethereum/call-node';
import type { createFaucet } from '../ethereum/faucet';
import type { PriceTable } from '../prices/price-table';
import { controlContract } from './contract';

type Devnet = { nodeUrl: string; faucet: ReturnType<typeof createFaucet>; prices: PriceTable };
type Answer = { status: number; body: unknown };

/**
 * Answers `POST /control/<name>`; the caller's token has been checked.
 *
 * @param name what follows `/control/`
 * @param body the parsed JSON body
 * @returns 200 with the answer, 404 for an unknown name, 422 with a `message` for a bad body
 */
export async function handleControl(devnet: Devnet, name: string, body: unknown): Promise<Answer> {
  switch (name) {
    case 'fund':
      return withBody(controlContract.fund.body, body, (input) => fund(devnet, input));
    case 'mine':
      return withBody(controlContract.mine.body, body, (input) => mine(devnet, input.blocks));
    case 'set-price':
      return withBody(controlContract['set-price'].body, body, async (input) => {
        devnet.prices.setPrice(input.name, input.price);
        return { status: 200, body: {} };
      });
    default:
      return { status: 404, body: { message: `There is no control "${name}".` } };
  }
}

async function withBody<T>(schema: z.ZodType<T>, body: unknown, act: (input: T) => Promise<Answer>): Promise<Answer> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return act(parsed.data);
  const reasons = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'body'}: ${issue.message}`);
  return { status: 422, body: { message: reasons.join('; ') } };
}

async function fund(devnet: Devnet, input: z.infer<typeof controlContract.fund.body>): Promise<Answer> {
  if (!isAddress(input.address)) return { status: 422, body: { message: 'address: not an Ethereum address' } };
  const address = getAddress(input.address);
  const amountUnits = parseEther(input.amount);
  if (input.by === 'transaction') {
    return { status: 200, body: { hash: await devnet.faucet.send(address, amountUnits) } };
  }
  await devnet.faucet.grant(address, amountUnits);
  return { status: 200, body: { hash: null } };
}

async function mine(devnet: Devnet, blocks: number): Promise<Answer> {
  await callNode(devnet.nodeUrl, 'anvil_mine', [`0x${blocks.toString(16)}`], z.unknown());
  const height = Number(await callNode(devnet.nodeUrl, 'eth_blockNumber', [], z.string()));
  return { status: 200, body: { height } };
}
