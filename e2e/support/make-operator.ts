import type { Instance } from '@/starter/instance';
import type { Merchant } from './merchant';
import { runScript } from './run-script';

/** Makes a merchant an operator as the machine's owner does: `npm run admin`. */
export async function makeOperator(instance: Instance, { user }: Merchant): Promise<void> {
  await runScript(instance, 'admin', 'grant', user.email);
}
