import type { VariableName } from './schema';

/** A process with a database login of its own. */
export const ROLES = ['web', 'watcher', 'dispatcher', 'signer'] as const;
export type Role = (typeof ROLES)[number];

interface Readers {
  /** The processes that read it; everywhere else it has no business. */
  roles: readonly Role[];
  /** Of those, the ones that do not run in production without it. */
  required?: readonly Role[];
  /** Whoever has it can do more than others: a key, a password, a login, or where one lies. */
  isSecret?: true;
}

const ALL: Readers = { roles: ROLES };
/** Read by `npm run migrate` alone. */
const PASSWORD: Readers = { roles: [], isSecret: true };

/** Which process reads which variable. Variables of chains are read by all. */
export const VARIABLES: Record<VariableName, Readers> = {
  INCASSA_MODE: ALL,
  LOG_LEVEL: ALL,
  HOST: { roles: ['web'] },
  PORT: { roles: ['web'] },
  PUBLIC_URL: { roles: ['web'], required: ['web'] },
  TRUSTED_PROXIES: { roles: ['web'] },
  REGISTRATION: { roles: ['web'] },
  SESSION_IDLE_MINUTES: { roles: ['web', 'dispatcher'] },
  MAX_INVOICES_PER_MINUTE: { roles: ['web'] },
  MAX_OPEN_INVOICES: { roles: ['web'] },
  MAX_ACTIVE_API_KEYS: { roles: ['web'] },
  AUTH_SECRET: { roles: ['web'], required: ['web'], isSecret: true },
  APP_SEAL_KEY: { roles: ['web', 'dispatcher'], required: ['web', 'dispatcher'], isSecret: true },
  KEK: { roles: ['signer'], isSecret: true },
  KEK_FILE: { roles: ['signer'], isSecret: true },

  // A role's own login comes from its own variable, or as DATABASE_URL where nothing else runs (foreign-secrets.ts).
  DATABASE_URL: { roles: ROLES, isSecret: true },
  WEB_DATABASE_URL: { roles: ['web'], isSecret: true },
  WATCHER_DATABASE_URL: { roles: ['watcher'], isSecret: true },
  DISPATCHER_DATABASE_URL: { roles: ['dispatcher'], isSecret: true },
  SIGNER_DATABASE_URL: { roles: ['signer'], isSecret: true },
  DATABASE_DIRECT_URL: { roles: ['web', 'dispatcher'], isSecret: true },
  WEB_DB_PASSWORD: PASSWORD,
  WATCHER_DB_PASSWORD: PASSWORD,
  DISPATCHER_DB_PASSWORD: PASSWORD,
  SIGNER_DB_PASSWORD: PASSWORD,

  KRAKEN_URL: { roles: ['dispatcher'] },
  BINANCE_URL: { roles: ['dispatcher'] },
  RATE_REFRESH_MS: { roles: ['dispatcher'] },
  SMTP_URL: { roles: ['dispatcher'], required: ['dispatcher'], isSecret: true },
  MAIL_FROM: { roles: ['dispatcher'] },
  WEBHOOK_ALLOW_LOOPBACK: { roles: ['web', 'dispatcher'] },
  WEBHOOK_REFUSED_PORTS: { roles: ['web', 'dispatcher'] },
  ADDRESS_POOL_TARGET: { roles: ['dispatcher'] },
  POOL_WITNESS_FILE: { roles: ['dispatcher'] },
  RECONCILE_INTERVAL_MS: { roles: ['dispatcher'] },
  METRICS_PORT: { roles: ['dispatcher'] },
};
