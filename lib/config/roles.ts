import type { VariableName } from './schema';

/** A process with a database login of its own. */
export const ROLES = ['web', 'watcher', 'dispatcher', 'signer'] as const;
export type Role = (typeof ROLES)[number];

interface Readers {
  /** The processes that read it; everywhere else it has no business. */
  roles: readonly Role[];
  /** Of those, the ones that do not run in production without it. */
  required?: readonly Role[];
}

const ALL: Readers = { roles: ROLES };
const NONE: Readers = { roles: [] };

/** Which process reads which variable. Variables of chains are read by all. */
export const VARIABLES: Record<VariableName, Readers> = {
  INCASSA_MODE: ALL,
  LOG_LEVEL: ALL,
  PORT: { roles: ['web'] },
  PUBLIC_URL: { roles: ['web'], required: ['web'] },
  TRUSTED_PROXIES: { roles: ['web'] },
  REGISTRATION: { roles: ['web'] },
  SESSION_IDLE_MINUTES: { roles: ['web', 'dispatcher'] },
  MAX_INVOICES_PER_MINUTE: { roles: ['web'] },
  MAX_OPEN_INVOICES: { roles: ['web'] },
  MAX_ACTIVE_API_KEYS: { roles: ['web'] },
  AUTH_SECRET: { roles: ['web'], required: ['web'] },
  APP_SEAL_KEY: { roles: ['web', 'dispatcher'], required: ['web', 'dispatcher'] },
  KEK: { roles: ['signer'] },
  KEK_FILE: { roles: ['signer'] },

  // A role's own login comes from its own variable, or as DATABASE_URL where nothing else runs.
  DATABASE_URL: ALL,
  WEB_DATABASE_URL: { roles: ['web'] },
  WATCHER_DATABASE_URL: { roles: ['watcher'] },
  DISPATCHER_DATABASE_URL: { roles: ['dispatcher'] },
  SIGNER_DATABASE_URL: { roles: ['signer'] },
  DATABASE_DIRECT_URL: { roles: ['web', 'dispatcher'] },
  // Read by `npm run migrate` alone.
  WEB_DB_PASSWORD: NONE,
  WATCHER_DB_PASSWORD: NONE,
  DISPATCHER_DB_PASSWORD: NONE,
  SIGNER_DB_PASSWORD: NONE,

  KRAKEN_URL: { roles: ['dispatcher'] },
  BINANCE_URL: { roles: ['dispatcher'] },
  RATE_REFRESH_MS: { roles: ['dispatcher'] },
  SMTP_URL: { roles: ['dispatcher'], required: ['dispatcher'] },
  MAIL_FROM: { roles: ['dispatcher'] },
  WEBHOOK_ALLOW_LOOPBACK: { roles: ['web', 'dispatcher'] },
  WEBHOOK_REFUSED_PORTS: { roles: ['web', 'dispatcher'] },
  ADDRESS_POOL_TARGET: { roles: ['dispatcher'] },
  RECONCILE_INTERVAL_MS: { roles: ['dispatcher'] },
  METRICS_PORT: { roles: ['dispatcher'] },
};
