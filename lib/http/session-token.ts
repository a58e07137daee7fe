import { decode, encode } from 'next-auth/jwt';
import { z } from 'zod';

/** Protected header of every token that we make, `{"alg":"dir","enc":"A256GCM"}`, as it stands in the text. */
const HEADER = 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMjU2R0NNIn0..';
const MAX_TOKEN_LENGTH = 2048;

const Payload = z.object({ sid: z.uuid() });

/**
 * Makes the bearer token of a session: an encrypted JWT (next-auth/jwt) that holds nothing but the session's id.
 * @param maxAgeSeconds after which the token is dead by itself, whatever the database says
 */
export function encodeSessionToken(sessionId: string, secret: string, maxAgeSeconds: number): Promise<string> {
  return encode({ token: { sid: sessionId }, secret, maxAge: maxAgeSeconds });
}

/**
 * Reads a token's session id. Whether that session still lives is for the database to say.
 * @returns null when the token is forged, expired, made with another secret or with other algorithms than ours
 */
export async function decodeSessionToken(token: string, secret: string): Promise<string | null> {
  if (!isOurToken(token)) return null;
  const payload = await decode({ token, secret }).catch(() => null);
  const parsed = Payload.safeParse(payload);
  return parsed.success ? parsed.data.sid : null;
}

/** Can this be a token of ours, by its length and its algorithms? */
export function isOurToken(token: string): boolean {
  return token.length <= MAX_TOKEN_LENGTH && token.startsWith(HEADER);
}
