import path from 'node:path';
import { type Env, parseEnv } from '@/lib/config/env';
import { productionGaps } from './production-gaps';
import { StartError } from './start-error';

export type Settings = {
  mode: 'embedded' | 'production';
  port: number;
  /** Absolute path. */
  dataDir: string;
  publicUrl: string;
  logLevel: Env['LOG_LEVEL'];
  /** The owner's connection when the database is not embedded. */
  databaseUrl: string | undefined;
  /** What has no address of its own, and is embedded. */
  embedded: { ethereum: boolean; kraken: boolean; binance: boolean; mail: boolean };
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
  const gaps = env.INCASSA_MODE === 'production' ? productionGaps(source) : undefined;
  if (gaps !== undefined) throw new StartError(gaps);
  return {
    mode: env.INCASSA_MODE,
    port: env.PORT,
    dataDir: path.resolve(root, source.DATA_DIR || '.data'),
    publicUrl: env.PUBLIC_URL ?? `http://localhost:${env.PORT}`,
    logLevel: env.LOG_LEVEL,
    databaseUrl: env.DATABASE_URL,
    embedded: {
      ethereum: !source.ETH_RPC_URL,
      // The venues have public addresses: production asks them unless told otherwise.
      kraken: env.INCASSA_MODE === 'embedded' && !source.KRAKEN_URL,
      binance: env.INCASSA_MODE === 'embedded' && !source.BINANCE_URL,
      mail: !source.SMTP_URL,
    },
  };
}

function parse(source: Record<string, string | undefined>): Env {
  try {
    return parseEnv(source);
  } catch (error) {
    throw new StartError(error instanceof Error ? error.message : String(error));
  }
}
