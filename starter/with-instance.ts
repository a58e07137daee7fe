import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { chainDefinition } from '@/lib/chains/registry';
import { chainVariableNames } from '@/lib/config/chain-variables';
import { type Instance, readInstance } from './instance';
import { localChainValues } from './local-chains';

/**
 * Runs one of the product's own commands: `with-instance.ts <command> [arguments]`. Whatever the environment does not say
 * is filled in from the embedded instance that runs on DATA_DIR; a configured environment stays as it is.
 */
const [command = '', ...rest] = process.argv.slice(2);
const { env } = process;
const hasDatabase = Boolean(env.DATABASE_URL || env.DISPATCHER_DATABASE_URL);

const hasNode = chainVariableNames().some((name) => name.endsWith('_RPC_URL') && env[name]);

if (!hasDatabase || !hasNode) {
  try {
    fillIn(readInstance(path.resolve(env.DATA_DIR || '.data')));
  } catch (error) {
    // Without an instance the command itself says what it lacks.
    if (!hasDatabase) console.error(error instanceof Error ? error.message : String(error));
  }
}
process.argv.splice(1, 2 + rest.length, command, ...rest);
await import(pathToFileURL(path.resolve(command)).href);

function fillIn({ databaseUrl, devnet, mode }: Instance): void {
  const values: Record<string, string> = {
    INCASSA_MODE: mode,
    ...(databaseUrl !== null && !hasDatabase && { DATABASE_URL: databaseUrl }),
    ...Object.assign(
      {},
      ...(devnet?.chains ?? []).map((chain) => localChainValues(chainDefinition(chain), devnet?.url ?? '')),
    ),
  };
  for (const [name, value] of Object.entries(values)) env[name] ||= value;
}
