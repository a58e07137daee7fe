import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Instance } from '@/devnet/instance';

const run = promisify(execFile);

/**
 * Pays an invoice as the test customer does: `npm run pay`, a real signed transaction on the instance's chain.
 *
 * @param target pay URL or uuid
 * @param amount whole coins, decimal text; what remains when left out
 * @returns hash of the mined transaction
 */
export async function pay(instance: Instance, target: string, amount?: string): Promise<string> {
  const more = amount === undefined ? [] : ['--amount', amount];
  const { stdout } = await run('npm', ['run', '--silent', 'pay', '--', target, ...more], {
    env: { ...process.env, DATA_DIR: instance.dataDir },
    timeout: 60_000,
  });
  return stdout.trim().split('\n').at(-1) ?? '';
}
