import type { RateLimit } from './rate-limit';

/**
 * The limits of the public doors. The login ones count failures only: a right password takes its count back.
 * One person at one place guesses 10 times in 15 minutes; one account stands 100 guesses an hour from everywhere
 * (ASVS 5.0, 6.3.1); one place may try 300 accounts in 15 minutes.
 */
export const RATE_LIMITS = {
  loginByEmailAndAddress: { name: 'login-email-address', points: 10, windowSeconds: 15 * 60 },
  loginByEmail: { name: 'login-email', points: 100, windowSeconds: 3600 },
  loginByAddress: { name: 'login-address', points: 300, windowSeconds: 15 * 60 },
  registerByAddress: { name: 'register-address', points: 300, windowSeconds: 3600 },
  /** Each choice takes an address from the pool, each email is kept: a shop's customers behind one address need a few. */
  payByAddress: { name: 'pay-address', points: 120, windowSeconds: 60 },
} as const satisfies Record<string, RateLimit>;
