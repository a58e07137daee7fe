import { COIN_INFO } from '@/lib/shared/coins';
import { parseUnits } from '@/lib/shared/money';
import type { Instance } from '@/starter/instance';
import { StartError } from '@/starter/start-error';
import type { PayArguments } from './parse-pay-arguments';
import { preparePublicInvoice } from './public-invoice';
import { sendPayments } from './send-payments';

/**
 * Pays an invoice as the test customer: its steps on the public page, then real signed transactions on the local chain.
 *
 * @param instance a running instance with a local chain
 * @param payment what to pay; without an amount, what remains
 * @param tell receives one line before the money is sent
 * @returns the hashes of the mined transactions
 * @throws {StartError} one sentence, when it cannot be paid
 */
export async function payInvoice(
  { url, devnet }: Pick<Instance, 'url' | 'devnet'>,
  { uuid, amount, coin, times }: PayArguments,
  tell: (line: string) => void,
): Promise<string[]> {
  if (!devnet?.chains.includes('ethereum'))
    throw new StartError('This instance uses a real chain: the test customer pays on a devnet only.');
  const invoice = await preparePublicInvoice(url, uuid, coin);
  if (invoice.cryptoType !== 'ETH') throw new StartError(`The devnet has no chain for ${invoice.cryptoType}.`);
  if (invoice.wallet === null)
    throw new StartError(`The invoice ${uuid} (${invoice.status}) has no address to pay to.`);
  const due = amount ?? invoice.amountRemaining ?? '0';
  const amountUnits = parseUnits(due, COIN_INFO.ETH.decimals);
  if (amountUnits === null) throw new StartError(`${due} is not an amount of ETH.`);
  if (amountUnits === 0n)
    throw new StartError(`Nothing remains to be paid on ${uuid} (${invoice.status}): name an --amount.`);
  tell(`paying ${due} ETH to ${invoice.wallet.address}${times > 1 ? `, ${times} times` : ''}`);
  return sendPayments(devnet, invoice.wallet.address, amountUnits, times);
}
