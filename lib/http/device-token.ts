import { randomUUID } from 'node:crypto';
import { decode, encode } from 'next-auth/jwt';
import { z } from 'zod';
import { requireEnv } from '@/lib/config/env';
import { isOurToken } from './session-token';

/** Request header in which a browser shows the device token of an earlier sign-in. */
const HEADER = 'x-device-token';
/** Another key than that of session tokens: neither passes for the other. */
const SALT = 'device';
const MAX_AGE_SECONDS = 180 * 24 * 3600;

const Payload = z.object({ device: z.uuid(), email: z.string() });

/** A browser in which somebody signed in to an account. */
export interface KnownBrowser {
  /** The same for as long as the browser keeps its token. */
  device: string;
  /** Email of the account, in lower case. */
  email: string;
}

/**
 * Makes the token by which a browser is known again after it signed out: a proof that it once knew the account's
 * password, and nothing else. It opens nothing; it spares its holder the limits that strangers meet at the account (OWASP,
 * "Slow Down Online Guessing Attacks with Device Cookies").
 * @param known the browser as it showed itself at this sign-in; it keeps its name
 */
export function deviceToken(email: string, known: KnownBrowser | null): Promise<string> {
  const device = known?.email === email ? known.device : randomUUID();
  return encode({ token: { device, email }, secret: requireEnv('AUTH_SECRET'), salt: SALT, maxAge: MAX_AGE_SECONDS });
}

/** The browser that a request comes from; null when it shows no token, or none that we made in the last 180 days. */
export async function knownBrowser(headers: Headers): Promise<KnownBrowser | null> {
  const token = headers.get(HEADER);
  if (token === null || !isOurToken(token)) return null;
  const payload = await decode({ token, secret: requireEnv('AUTH_SECRET'), salt: SALT }).catch(() => null);
  const parsed = Payload.safeParse(payload);
  return parsed.success ? parsed.data : null;
}
