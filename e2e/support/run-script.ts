import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Instance } from '@/starter/instance';

const run = promisify(execFile);

/**
 * Runs one of the commands of package.json against the instance, as a person at a terminal would.
 *
 * @param args what follows `npm run <name> --`
 * @returns what it printed
 * @throws {Error} with its output when it ends with another code than 0
 */
export async function runScript(instance: Instance, name: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('npm', ['run', '--silent', name, '--', ...args], {
    // Whatever the shell has configured, the command means this instance.
    env: { ...process.env, DATABASE_URL: '', ETH_RPC_URL: '', DATA_DIR: instance.dataDir },
    timeout: 60_000,
  });
  return stdout.trim();
}
