import { parsePayArguments } from '@/devnet/pay/parse-pay-arguments';
import { payInvoice } from '@/devnet/pay/pay-invoice';
import type { Instance } from '@/starter/instance';

/**
 * Pays an invoice as `npm run pay` does, in the test's own process: a real signed transaction on the instance's chain.
 *
 * @param target pay URL or uuid
 * @param amount whole coins, decimal text; what remains when left out
 * @returns hash of the mined transaction
 */
export async function pay(instance: Instance, target: string, amount?: string): Promise<string> {
  const args = [target, ...(amount === undefined ? [] : ['--amount', amount])];
  const hashes = await payInvoice(instance, parsePayArguments(args), () => undefined);
  return hashes.at(-1) ?? '';
}
