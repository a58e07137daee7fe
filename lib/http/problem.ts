import { STATUS_CODES } from 'node:http';
import type { Problem } from '@/lib/api-schema/problem';
import { publicUrl } from '@/lib/config/env';
import { AppError } from '@/lib/shared/errors';

/**
 * The problem+json answer (RFC 9457) to whatever was thrown. An error that is not an `AppError` becomes a 500 with a
 * fixed text: its own words stay in the log.
 * @param headers already meant for the answer: request id, rate limits
 */
export function problemResponse(thrown: unknown, requestId: string, headers: Headers): Response {
  const error = thrown instanceof AppError ? thrown : new AppError('internal_error');
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
  // Required with every 401 (RFC 9110, 15.5.2); browsers show no dialog of their own for this scheme.
  if (error.status === 401) headers.set('WWW-Authenticate', 'Bearer realm="incassa"');
  return new Response(JSON.stringify(body), { status: error.status, headers });
}

/** Registered problem type of the RateLimit draft (draft-ietf-httpapi-ratelimit-headers). */
const QUOTA_EXCEEDED = 'https://iana.org/assignments/http-problem-types#quota-exceeded';
