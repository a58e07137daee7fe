import { createHash, timingSafeEqual } from 'node:crypto';

/**
 * Whether an `authorization` header carries the control token.
 *
 * @param header the header as it came, if it came
 */
export function isAuthorized(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`));
}
