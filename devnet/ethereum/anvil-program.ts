import { createRequire } from 'node:module';
import { arch, platform } from 'node:os';
import { StartError } from '@/starter/start-error';

/**
 * Path of the real `anvil` program. The package's own `bin.mjs` would put a Node process between it and us, which a
 * signal ends without ending anvil.
 *
 * @throws {StartError} when the package has no program for this machine
 */
export function anvilProgram(): string {
  const machine = `${platform()}-${arch() === 'x64' ? 'amd64' : arch()}`;
  const require = createRequire(import.meta.url);
  try {
    return createRequire(require.resolve('@foundry-rs/anvil/package.json')).resolve(
      `@foundry-rs/anvil-${machine}/bin/anvil`,
    );
  } catch {
    throw new StartError(`There is no local Ethereum node for this machine (${machine}): set ETH_RPC_URL.`);
  }
}
