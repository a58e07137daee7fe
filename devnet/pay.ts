import { COIN_INFO } from '@/lib/shared/coins';
import { parseUnits } from '@/lib/shared/money';
import type { Instance } from '@/starter/instance';
import { runCommand } from '@/starter/run-command';
import { StartError } from '@/starter/start-error';
import { parsePayArguments } from './pay/parse-pay-arguments';
import { preparePublicInvoice } from './pay/public-invoice';
import { sendPayments } from './pay/send-payments';

/** `npm run pay`: the test customer. Returns the hash of the last transaction. */
async function pay(instance: Instance, args: string[]): Promise<string> {
  const { uuid, amount, coin, times } = parsePayArguments(args);
  const { devnet } = instance;
  if (!devnet?.ethereum)
    throw new StartError('This instance uses a real chain: the test customer pays on a devnet only.');
  const invoice = await preparePublicInvoice(instance.url, uuid, coin);
  if (invoice.cryptoType !== 'ETH') throw new StartError(`The devnet has no chain for ${invoice.cryptoType}.`);
  if (invoice.wallet === null)
    throw new StartError(`The invoice ${uuid} (${invoice.status}) has no address to pay to.`);
  const due = amount ?? invoice.amountRemaining ?? '0';
  const amountUnits = parseUnits(due, COIN_INFO.ETH.decimals);
  if (amountUnits === null) throw new StartError(`${due} is not an amount of ETH.`);
  if (amountUnits === 0n)
    throw new StartError(`Nothing remains to be paid on ${uuid} (${invoice.status}): name an --amount.`);
  console.log(`paying ${due} ETH to ${invoice.wallet.address}${times > 1 ? `, ${times} times` : ''}`);
  const hashes = await sendPayments(devnet, invoice.wallet.address, amountUnits, times);
  return hashes.join('\n');
}

await runCommand(pay);
