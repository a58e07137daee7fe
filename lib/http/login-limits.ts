import { isKnownAddress } from '@/lib/auth/known-addresses';
import { requireEnv } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import type { Clock } from '@/lib/shared/time';
import { type KnownBrowser, knownBrowser } from './device-token';
import { LOGIN_LIMITS } from './doors';
import type { LimitUse } from './rate-limit';

/** Who tries to sign in, and where. */
interface LoginPlace {
  request: Request;
  readonly clientAddress: string;
}

interface LoginTry extends LoginPlace {
  readonly db: Database;
  clock: Clock;
  body: { email: string };
}

/** What is counted once the email is known, and whether its account was signed in to from here before. */
interface LoginCounts {
  uses: LimitUse[];
  isKnown: boolean;
  browser: KnownBrowser | null;
}

/**
 * What a login is counted against before its body is read. A browser with a device token counts for itself: what others
 * do at its address is not held against it.
 */
export async function loginDoor({ request, clientAddress }: LoginPlace): Promise<LimitUse[]> {
  const browser = await knownBrowser(request.headers);
  return browser ? [{ limit: LOGIN_LIMITS.requestsByBrowser, key: browser.device }] : addressUses(clientAddress);
}

/**
 * What a login is counted against once its email is known, before the password is hashed:
 * the account's own browser by its own failures; anybody at an address where the account was signed in to by the failures
 * there; everybody else also by what strangers together failed at the account, and at all accounts. A browser that shows the
 * token of another account is a stranger like others, and counted by its address after all.
 */
export async function loginLimits({ request, clientAddress, db, clock, body }: LoginTry): Promise<LoginCounts> {
  const { email } = body;
  const browser = await knownBrowser(request.headers);
  if (browser?.email === email)
    return { browser, isKnown: true, uses: [{ limit: LOGIN_LIMITS.failuresByBrowser, key: browser.device }] };
  const uses = [
    ...(browser ? addressUses(clientAddress) : []),
    { limit: LOGIN_LIMITS.failuresByEmailAndAddress, key: `${email} ${clientAddress}` },
  ];
  const isKnown = await isKnownAddress(db, { email, address: clientAddress, secret: requireEnv('AUTH_SECRET'), clock });
  return { browser, isKnown, uses: isKnown ? uses : [...uses, ...strangerUses(email)] };
}

function addressUses(address: string): LimitUse[] {
  return [
    { limit: LOGIN_LIMITS.requestsByAddress, key: address },
    { limit: LOGIN_LIMITS.failuresByAddress, key: address },
  ];
}

function strangerUses(email: string): LimitUse[] {
  return [
    { limit: LOGIN_LIMITS.failuresByEmailInAMinute, key: email },
    { limit: LOGIN_LIMITS.failuresByEmailInAQuarter, key: email },
    { limit: LOGIN_LIMITS.failuresByEmailInAnHour, key: email },
    { limit: LOGIN_LIMITS.failuresInAll, key: '' },
  ];
}
