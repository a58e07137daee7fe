import path from 'node:path';
import ipaddr from 'ipaddr.js';
import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import { chainVariable } from '@/lib/config/chain-variables';
import { type Env, parseEnv } from '@/lib/config/env';
import { missingInProduction } from '@/lib/config/production';
import { ROLES } from '@/lib/config/roles';
import type { Chain } from '@/lib/shared/chains';
import { StartError } from './start-error';

export type Settings = {
  mode: 'embedded' | 'production';
  /** Address that web listens on. */
  host: string;
  /** It is one of this machine alone: nobody else reaches the instance. */
  isPrivate: boolean;
  port: number;
  /** Where this machine reaches the product. */
  url: string;
  /** Absolute path. */
  dataDir: string;
  publicUrl: string;
  logLevel: Env['LOG_LEVEL'];
  /** The owner's connection when the database is not embedded. */
  databaseUrl: string | undefined;
  /** What has no address of its own, and is embedded. */
  embedded: { chains: Chain[]; kraken: boolean; binance: boolean; mail: boolean };
};

/**
 * Reads the starter's configuration.
 *
 * @param root folder of the project: a relative DATA_DIR begins here
 * @param source the environment; an empty text counts as absent
 * @throws {StartError} one sentence that names each bad or missing variable
 */
export function readSettings(root: string, source: Record<string, string | undefined>): Settings {
  const env = parse({ ...source, INCASSA_MODE: source.INCASSA_MODE || 'embedded' });
  const gaps = [...missingLogins(env), ...missingInProduction(env, env.chains, ROLES)];
  if (gaps.length > 0) throw new StartError(`INCASSA_MODE=production needs ${gaps.join(', ')}.`);
  const isEmbedded = env.INCASSA_MODE === 'embedded';
  return {
    mode: env.INCASSA_MODE,
    host: env.HOST,
    isPrivate: isLoopback(env.HOST),
    port: env.PORT,
    url: `http://${reachable(env.HOST)}:${env.PORT}`,
    dataDir: path.resolve(root, source.DATA_DIR || '.data'),
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    logLevel: env.LOG_LEVEL,
    databaseUrl: env.DATABASE_URL,
    embedded: {
      chains: isEmbedded
        ? CHAIN_DEFINITIONS.filter((chain) => !source[chainVariable(chain, 'RPC_URL')]).map(({ chain }) => chain)
        : [],
      // The venues have public addresses: production asks them unless told otherwise.
      kraken: isEmbedded && !source.KRAKEN_URL,
      binance: isEmbedded && !source.BINANCE_URL,
      mail: !source.SMTP_URL,
    },
  };
}

const ANY_ADDRESS = new Set(['0.0.0.0', '::']);

/** Where a server that listens on this host can be reached from its own machine. */
function reachable(host: string): string {
  if (ANY_ADDRESS.has(host)) return '127.0.0.1';
  return host.includes(':') ? `[${host}]` : host;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || ipaddr.process(host).range() === 'loopback';
}

/** The starter makes each role's login out of the owner's connection, unless it is given. */
function missingLogins(env: Env): string[] {
  if (env.INCASSA_MODE !== 'production') return [];
  const logins = ROLES.map((role) => role.toUpperCase() as Uppercase<typeof role>).filter(
    (role) => !env[`${role}_DATABASE_URL`] && !env[`${role}_DB_PASSWORD`],
  );
  return [
    ...(env.DATABASE_URL ? [] : ['DATABASE_URL']),
    ...logins.map((role) => `${role}_DATABASE_URL or ${role}_DB_PASSWORD`),
  ];
}

function parse(source: Record<string, string | undefined>): Env {
  try {
    return parseEnv(source);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
}
