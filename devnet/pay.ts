import { runCommand } from '@/starter/run-command';
import { parsePayArguments } from './pay/parse-pay-arguments';
import { payInvoice } from './pay/pay-invoice';

/** `npm run pay`: the test customer. Its last line is the hash of the last transaction. */
await runCommand(async (instance, args) => {
  const hashes = await payInvoice(instance, parsePayArguments(args), console.log);
  return hashes.join('\n');
});
