import { parseArgs } from 'node:util';
import { COINS, type Coin } from '@/lib/shared/coins';
import { StartError } from '@/starter/start-error';

export type PayArguments = {
  uuid: string;
  /** Whole coins, decimal text; undefined pays what remains. */
  amount: string | undefined;
  /** Chosen when the invoice has no coin yet. */
  coin: Coin;
  times: number;
};

const USAGE = 'Usage: npm run pay -- <pay URL or uuid> [--amount <decimal>] [--coin ETH] [--times n]';
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;
const MOST_TIMES = 100;

/**
 * Reads the test customer's command line.
 *
 * @param args what follows `npm run pay --`
 * @throws {StartError} one sentence about what is wrong
 */
export function parsePayArguments(args: readonly string[]): PayArguments {
  const { values, positionals } = read(args);
  const [target, ...rest] = positionals;
  if (target === undefined || rest.length > 0) throw new StartError(USAGE);
  const uuid = UUID.exec(target)?.[0]?.toLowerCase();
  if (uuid === undefined) throw new StartError(`"${target}" holds no invoice uuid. ${USAGE}`);
  if (values.amount !== undefined && !/^\d+(\.\d+)?$/.test(values.amount)) {
    throw new StartError(`--amount must be a decimal number such as 0.05, not "${values.amount}".`);
  }
  const coin = COINS.find((known) => known === (values.coin ?? 'ETH').toUpperCase());
  if (coin === undefined) throw new StartError(`--coin must be one of ${COINS.join(', ')}, not "${values.coin}".`);
  const times = Number(values.times ?? '1');
  if (!Number.isSafeInteger(times) || times < 1 || times > MOST_TIMES) {
    throw new StartError(`--times must be a whole number from 1 to ${MOST_TIMES}, not "${values.times}".`);
  }
  return { uuid, amount: values.amount, coin, times };
}

function read(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options: { amount: text, coin: text, times: text } });
  } catch (error) {
    throw new StartError(`${error instanceof Error ? error.message : error}. ${USAGE}`);
  }
}
