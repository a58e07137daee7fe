import { z } from 'zod';
import { flagVariable, integerVariable } from '@/lib/shared/env-variable';
import { MAX_PAGE_SIZE, QUOTAS, SESSION_IDLE_MINUTES } from '@/lib/shared/limits';

const url = (protocols: RegExp) => z.url({ protocol: protocols, error: 'must be a URL' });
const postgresUrl = url(/^postgres(ql)?$/);

const key32 = z
  .string()
  .refine((text) => Buffer.from(text, 'base64').length === 32, 'must be 32 bytes in base64')
  .transform((text) => Buffer.from(text, 'base64'));

/** Every variable that the product reads, but for those of its chains. `.env.example` documents each for operators. */
export const VariablesSchema = z.object({
  INCASSA_MODE: z.enum(['embedded', 'production']).default('production'),
  /** Address that web listens on: this machine alone, unless it says otherwise. */
  HOST: z
    .union([z.ipv4(), z.ipv6(), z.literal('localhost')], { error: 'must be an IP address or localhost' })
    .default('127.0.0.1'),
  PORT: integerVariable(1, 65_535).default(3000),
  PUBLIC_URL: url(/^https?$/).optional(),
  /**
   * Reverse proxies in front of web that append the caller to X-Forwarded-For; 0 (`none`) takes the connection's own
   * address, as does nothing said.
   */
  TRUSTED_PROXIES: z
    .string()
    .regex(/^(none|[1-9]|10)$/, 'must be none or a number from 1 to 10')
    .transform((text) => (text === 'none' ? 0 : Number(text)))
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),

  DATABASE_URL: postgresUrl.optional(),
  WEB_DATABASE_URL: postgresUrl.optional(),
  WATCHER_DATABASE_URL: postgresUrl.optional(),
  DISPATCHER_DATABASE_URL: postgresUrl.optional(),
  SIGNER_DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  WEB_DB_PASSWORD: z.string().min(16).optional(),
  WATCHER_DB_PASSWORD: z.string().min(16).optional(),
  DISPATCHER_DB_PASSWORD: z.string().min(16).optional(),
  SIGNER_DB_PASSWORD: z.string().min(16).optional(),

  AUTH_SECRET: z.string().min(32, 'must have at least 32 characters').optional(),
  APP_SEAL_KEY: key32.optional(),
  KEK: key32.optional(),
  KEK_FILE: z.string().optional(),
  REGISTRATION: z.enum(['open', 'closed']).default('closed'),
  /** A session that nobody uses ends after so long; two weeks is more than the week after which every session ends. */
  SESSION_IDLE_MINUTES: integerVariable(15, 14 * 24 * 60).default(SESSION_IDLE_MINUTES),

  MAX_INVOICES_PER_MINUTE: integerVariable(1, 1_000_000).default(QUOTAS.invoicesPerMinute),
  MAX_OPEN_INVOICES: integerVariable(1, 1_000_000).default(QUOTAS.openInvoices),
  /** At most a page: all active keys are on the first one of their list. */
  MAX_ACTIVE_API_KEYS: integerVariable(1, MAX_PAGE_SIZE).default(QUOTAS.activeApiKeys),

  KRAKEN_URL: url(/^https?$/).default('https://api.kraken.com'),
  BINANCE_URL: url(/^https?$/).default('https://data-api.binance.vision'),
  RATE_REFRESH_MS: integerVariable(1000, 300_000).default(30_000),

  SMTP_URL: url(/^smtps?$/).optional(),
  MAIL_FROM: z.string().default('Incassa <incassa@localhost>'),

  WEBHOOK_ALLOW_LOOPBACK: flagVariable,
  WEBHOOK_REFUSED_PORTS: z
    .string()
    .regex(/^(\d+(,\d+)*)?$/, 'must be port numbers with commas between them')
    .default('')
    .transform((text) => text.split(',').filter(Boolean).map(Number)),
  ADDRESS_POOL_TARGET: integerVariable(10, 100_000).default(500),
  /** Where the dispatcher keeps what tells a restored copy of the data; nowhere without. */
  POOL_WITNESS_FILE: z.string().optional(),

  /** Milliseconds between two comparisons of ledger and chain. */
  RECONCILE_INTERVAL_MS: integerVariable(1000, 86_400_000).default(300_000),
  /** Where the dispatcher shows its metrics, on loopback; nowhere without. */
  METRICS_PORT: integerVariable(1, 65_535).optional(),
});
export type Variables = z.infer<typeof VariablesSchema>;
export type VariableName = keyof Variables;
