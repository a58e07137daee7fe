import type { LimitUse, RateLimit } from './rate-limit';

const MINUTE = 60;
const QUARTER_HOUR = 15 * MINUTE;
const HOUR = 60 * MINUTE;

/** What a door that needs no sign-in lets through: per address, per thing that it is about, and in all. */
export interface Door {
  byAddress: RateLimit;
  /** By the `id` of the path. Above what one address may do, so that one caller cannot use it up for the others. */
  byObject?: RateLimit;
  inAll: RateLimit;
}

const perMinute = (name: string, points: number): RateLimit => ({
  name,
  points,
  windowSeconds: MINUTE,
  kept: 'memory',
});
const inAll = (name: string, points: number): RateLimit => ({ ...perMinute(name, points), isHidden: true });

/** The public doors. An open pay page asks 4 times a minute; a shop's customers may share one address. */
export const DOORS = {
  invoiceRead: {
    byAddress: perMinute('invoice-address', 600),
    byObject: perMinute('invoice', 1_200),
    inAll: inAll('invoice-all', 12_000),
  },
  /** Each choice takes an address from the pool, each email is kept. */
  payStep: {
    byAddress: perMinute('pay-address', 120),
    byObject: perMinute('pay-invoice', 240),
    inAll: inAll('pay-all', 1_200),
  },
  /** How many stay open at once: `STREAM_CAPS`. A page opens one, and another when it was cut off. */
  invoiceStream: {
    byAddress: perMinute('stream-address', 600),
    byObject: perMinute('stream-invoice', 1_200),
    inAll: inAll('stream-all', 12_000),
  },
  price: { byAddress: perMinute('price-address', 300), inAll: inAll('price-all', 6_000) },
  /** Load balancers ask often, and all of them at once after a restart. */
  health: { byAddress: perMinute('health-address', 1_200), inAll: inAll('health-all', 6_000) },
  register: { byAddress: perMinute('register-requests', 60), inAll: inAll('register-requests-all', 600) },
  /** What has no door of its own. */
  other: { byAddress: perMinute('other-address', 600), inAll: inAll('other-all', 12_000) },
} as const satisfies Record<string, Door>;

/** Accounts that are made. Above the few that one person needs, below what a search for registered emails needs. */
export const REGISTRATION_LIMITS = {
  byAddress: { name: 'register-address', points: 30, windowSeconds: HOUR, kept: 'memory' },
  /** Refusals of an email that has an account: what such a search wants to hear. */
  takenByAddress: {
    name: 'register-taken',
    points: 10,
    windowSeconds: HOUR,
    kept: 'memory',
    countsFailures: true,
  },
  inAll: { name: 'register-all', points: 600, windowSeconds: HOUR, kept: 'memory', isHidden: true },
} as const satisfies Record<string, RateLimit>;

/** A failed login of somebody at some place, counted where all web processes see it. */
const failedLogins = (name: string, points: number, windowSeconds: number): RateLimit => ({
  name,
  points,
  windowSeconds,
  countsFailures: true,
});

/** Logins. Who meets which of them: login-limits.ts. */
export const LOGIN_LIMITS = {
  /** Before the body is read; good ones count too, each costs a hash and a session. */
  requestsByAddress: perMinute('login-requests', 120),
  requestsByBrowser: perMinute('login-requests-browser', 30),
  failuresByAddress: { ...failedLogins('login-address', 300, QUARTER_HOUR), kept: 'memory' },
  /** One person at one place mistypes that often, and no more. */
  failuresByEmailAndAddress: failedLogins('login-email-address', 10, QUARTER_HOUR),
  failuresByBrowser: failedLogins('login-browser', 10, QUARTER_HOUR),
  /** Strangers against one account: the wait grows with what failed, to 100 guesses an hour (ASVS 5.0, 6.3.1). */
  failuresByEmailInAMinute: failedLogins('login-email-minute', 20, MINUTE),
  failuresByEmailInAQuarter: failedLogins('login-email-quarter', 50, QUARTER_HOUR),
  failuresByEmailInAnHour: failedLogins('login-email', 100, HOUR),
  /** Strangers in all; also the most rows that they can make in Postgres, four for each. */
  failuresInAll: { ...failedLogins('login-all', 3_000, QUARTER_HOUR), kept: 'memory', isHidden: true },
} as const satisfies Record<string, RateLimit>;

/** Bearer tokens and API keys that are not good, before they cost a look into the database. */
export const CREDENTIAL_LIMITS = {
  byAddress: { ...perMinute('credentials-address', 300), countsFailures: true, isHidden: true },
  inAll: { ...inAll('credentials-all', 6_000), countsFailures: true },
} as const satisfies Record<string, RateLimit>;

/** A request's counts at a door, address first. @param params of the path, as far as they were good */
export function doorUses(door: Door, address: string, params?: unknown): LimitUse[] {
  const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : undefined;
  return [
    { limit: door.byAddress, key: address },
    ...(door.byObject && typeof id === 'string' ? [{ limit: door.byObject, key: id }] : []),
    { limit: door.inAll, key: '' },
  ];
}
