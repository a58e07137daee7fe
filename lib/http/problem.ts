import { STATUS_CODES } from 'node:http';
import type { Problem } from '@/lib/api-schema/problem';
import { publicUrl } from '@/lib/config/env';
import { isDatabaseDown } from '@/lib/db/database-down';
import { AppError } from '@/lib/shared/errors';

/** Seconds after which a database that did not answer is worth another try: it restarts in less. */
export const UNAVAILABLE_RETRY_SECONDS = 5;

/**
 * The refusal that stands for whatever was thrown: itself, `service_unavailable` for a database that does not answer, else
 * `internal_error`. Its own words stay in the log.
 */
export function toAppError(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (!isDatabaseDown(thrown)) return new AppError('internal_error');
  return new AppError('service_unavailable', { retryAfterSeconds: UNAVAILABLE_RETRY_SECONDS });
}

/**
 * The problem+json answer (RFC 9457) to whatever was thrown.
 * @param headers already meant for the answer: request id, rate limits
 */
export function problemResponse(thrown: unknown, requestId: string, headers: Headers): Response {
  const error = toAppError(thrown);
  const body: Problem = {
    type: error.status === 429 ? QUOTA_EXCEEDED : `${publicUrl()}/docs/api#${error.code}`,
    title: STATUS_CODES[error.status] ?? 'Error',
    status: error.status,
    detail: error.message,
    code: error.code,
    message: error.message,
    ...(error.errors && { errors: error.errors }),
    requestId,
  };
  headers.set('Content-Type', 'application/problem+json');
  if (error.retryAfterSeconds !== undefined) headers.set('Retry-After', String(Math.ceil(error.retryAfterSeconds)));
  // Half a body is still to come, and nobody waits for it (RFC 9110, 15.5.9).
  if (error.status === 408) headers.set('Connection', 'close');
  // Required with every 401 (RFC 9110, 15.5.2); browsers show no dialog of their own for this scheme.
  if (error.status === 401) headers.set('WWW-Authenticate', 'Bearer realm="incassa"');
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

/** Registered problem type of the RateLimit draft (draft-ietf-httpapi-ratelimit-headers). */
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded';
