import type { z } from 'zod';
import { StartError } from '@/starter/start-error';
import { CHAINS, controlContract } from './contract';

const USAGE = 'Usage: npm run devnet -- fund <COIN> <address> <decimal>, or: npm run devnet -- mine <COIN> <n>';

export type ControlArguments =
  | { name: 'fund'; body: z.input<typeof controlContract.fund.body> }
  | { name: 'mine'; body: z.input<typeof controlContract.mine.body> };

/**
 * Reads the command line of `npm run devnet`.
 *
 * @param args what follows `npm run devnet --`
 * @throws {StartError} one sentence about what is wrong
 */
export function parseControlArguments(args: readonly string[]): ControlArguments {
  const [name, coinText = '', ...rest] = args;
  if (name !== 'fund' && name !== 'mine') throw new StartError(USAGE);
  if (rest.length !== (name === 'fund' ? 2 : 1)) throw new StartError(USAGE);
  const coin = CHAINS.find((known) => known === coinText.toUpperCase());
  if (coin === undefined)
    throw new StartError(`The devnet has chains for ${CHAINS.join(', ')}, not for "${coinText}".`);
  const [first = '', second = ''] = rest;
  if (name === 'fund') {
    const body = { coin, address: first, amount: second };
    return { name, body: checked(controlContract.fund.body.safeParse(body), body) };
  }
  const body = { coin, blocks: Number(first) };
  return { name, body: checked(controlContract.mine.body.safeParse(body), body) };
}

function checked<T>(result: z.ZodSafeParseResult<unknown>, body: T): T {
  if (result.success) return body;
  throw new StartError(result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '));
}
