import { randomUUID } from 'node:crypto';

const ACCEPTED = /^[\w-]{8,64}$/;

/** The caller's or proxy's own `X-Request-Id` when it is harmless in a log line, else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given && ACCEPTED.test(given) ? given : randomUUID();
}
