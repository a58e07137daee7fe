import type { Instance } from '@/starter/instance';
import { runScript } from './run-script';

/**
 * Pays an invoice as the test customer does: `npm run pay`, a real signed transaction on the instance's chain.
 *
 * @param target pay URL or uuid
 * @param amount whole coins, decimal text; what remains when left out
 * @returns hash of the mined transaction
 */
export async function pay(instance: Instance, target: string, amount?: string): Promise<string> {
  const output = await runScript(instance, 'pay', target, ...(amount === undefined ? [] : ['--amount', amount]));
  return output.split('\n').at(-1) ?? '';
}
