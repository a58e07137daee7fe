import type { Instance } from '@/starter/instance';
import { runCommand } from '@/starter/run-command';
import { StartError } from '@/starter/start-error';
import { callControl } from './control/call-control';
import { parseControlArguments } from './control/parse-control-arguments';

/** `npm run devnet`: `fund` returns the transaction's hash, `mine` the new height. */
async function control({ devnet }: Instance, args: string[]): Promise<string> {
  const { name, body } = parseControlArguments(args);
  if (devnet === null) throw new StartError('This instance has no devnet: every address of its own is configured.');
  if (name === 'mine') return String((await callControl(devnet, 'mine', body)).height);
  return (await callControl(devnet, 'fund', body)).hash ?? '';
}

await runCommand(control);
