import path from 'node:path';
import { CHAIN_DEFINITIONS } from '@/lib/chains/registry';
import { SECRET_VARIABLES } from '@/lib/config/foreign-secrets';
import { type Role, VARIABLES } from '@/lib/config/roles';
import type { VariableName } from '@/lib/config/schema';
import type { Ports } from './choose-ports';
import { localChainValues } from './local-chains';
import type { Settings } from './read-settings';
import type { Secrets } from './secrets';

const NAMES = Object.keys(VARIABLES) as VariableName[];
/** Secrets that no process of the product reads. */
const NOBODYS = SECRET_VARIABLES.filter((name) => !(name in VARIABLES));

type Input = {
  settings: Settings;
  /** Undefined in production, where everything is given. */
  secrets: Secrets | undefined;
  ports: Ports;
  /** The owner's connection. */
  ownerUrl: string;
  rolePasswords: Record<Role, string>;
  /** The starter's own environment. */
  source: NodeJS.ProcessEnv;
};

/**
 * The environment of each process: what was configured, filled up with what is embedded, less what the process does not
 * read; the owner's connection is the starter's alone, and so is its direct one, beside which each role gets its own. Such
 * variables are emptied rather than left out, so that no `.env` file brings them back.
 */
export function environments(input: Input): Record<Role, NodeJS.ProcessEnv> {
  const known: NodeJS.ProcessEnv = { ...input.source, ...embeddedValues(input), NODE_ENV: 'production' };
  const of = (role: Role): NodeJS.ProcessEnv => {
    const hidden = NAMES.filter((name) => name === 'DATABASE_URL' || !VARIABLES[name].roles.includes(role));
    const url =
      known[`${role.toUpperCase()}_DATABASE_URL`] ||
      withLogin(input.ownerUrl, `incassa_${role}`, input.rolePasswords[role]);
    const { username, password } = new URL(url);
    return {
      ...known,
      [`${role.toUpperCase()}_DATABASE_URL`]: url,
      ...(known.DATABASE_DIRECT_URL && {
        DATABASE_DIRECT_URL: withLogin(known.DATABASE_DIRECT_URL, username, password),
      }),
      ...Object.fromEntries([...hidden, ...NOBODYS].map((name) => [name, ''])),
    };
  };
  return { web: of('web'), watcher: of('watcher'), dispatcher: of('dispatcher'), signer: of('signer') };
}

/** Values for what is not configured. */
function embeddedValues({ settings, secrets, ports, source }: Input): Record<string, string | undefined> {
  const devnet = `http://127.0.0.1:${ports.devnet}`;
  const { chains, kraken, binance, mail } = settings.embedded;
  const local = CHAIN_DEFINITIONS.filter(({ chain }) => chains.includes(chain));
  const refusedPorts = [settings.port, ...Object.values(ports)].join(',');
  const values: Record<string, string | undefined> = {
    INCASSA_MODE: settings.mode,
    HOST: settings.host,
    PORT: String(settings.port),
    PUBLIC_URL: settings.publicUrl,
    NEXT_TELEMETRY_DISABLED: '1',
    WEBHOOK_REFUSED_PORTS: [source.WEBHOOK_REFUSED_PORTS, refusedPorts].filter(Boolean).join(','),
  };
  const defaults: Record<string, string | undefined> = {
    ...(secrets && {
      // On a network whoever comes by could make an account, and calls to this machine would be made for strangers.
      REGISTRATION: settings.isPrivate ? 'open' : 'closed',
      AUTH_SECRET: secrets.authSecret,
      APP_SEAL_KEY: secrets.appSealKey,
      POOL_WITNESS_FILE: path.join(settings.dataDir, 'pool-witness.json'),
      ...(!source.KEK && { KEK_FILE: secrets.kekFile }),
    }),
    ...Object.assign({}, ...local.map((definition) => localChainValues(definition, devnet))),
    // Only where every chain is local nothing of value can be told to a neighbour.
    ...(settings.isPrivate && local.length === CHAIN_DEFINITIONS.length && { WEBHOOK_ALLOW_LOOPBACK: '1' }),
    ...(kraken && { KRAKEN_URL: `${devnet}/kraken` }),
    ...(binance && { BINANCE_URL: `${devnet}/binance` }),
    ...(mail && { SMTP_URL: `smtp://127.0.0.1:${ports.smtp}` }),
  };
  for (const [name, value] of Object.entries(defaults)) values[name] = source[name] || value;
  return values;
}

function withLogin(url: string, username: string, password: string): string {
  return Object.assign(new URL(url), { username, password }).href;
}
