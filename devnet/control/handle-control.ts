import { getAddress, isAddress, parseEther } from 'ethers';
import type { z } from 'zod';
import type { createFaucet } from '../ethereum/faucet';
import type { EthereumNode } from '../ethereum/start-node';
import type { PriceTable } from '../prices/price-table';
import { controlContract } from './contract';

type Devnet = {
  node: Pick<EthereumNode, 'blocks' | 'save'>;
  faucet: ReturnType<typeof createFaucet>;
  prices: PriceTable;
};
type Answer = { status: number; body: unknown };

const PAUSE_IS_OVER: Answer = { status: 409, body: { message: 'This pause is over.' } };

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
      return withBody(controlContract.mine.body, body, (input) => mine(devnet, input));
    case 'pause':
      return withBody(controlContract.pause.body, body, async ({ seconds }) => {
        return { status: 200, body: { pause: await devnet.node.blocks.pause(seconds) } };
      });
    case 'resume':
      return withBody(controlContract.resume.body, body, async ({ pause }) =>
        (await devnet.node.blocks.resume(pause)) ? { status: 200, body: {} } : PAUSE_IS_OVER,
      );
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

async function mine({ node }: Devnet, input: z.infer<typeof controlContract.mine.body>): Promise<Answer> {
  const height = await node.blocks.mine(input.blocks, input.pause);
  if (height === undefined) return PAUSE_IS_OVER;
  // A kill must not take so many blocks that the chain looks like another one afterwards.
  await node.save();
  return { status: 200, body: { height } };
}
