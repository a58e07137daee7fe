import { type BoundedRequest, FetchError, fetchJson } from '@/lib/net/bounded-fetch';
import { ChainError } from '../types';

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const MAX_RETRY_AFTER_SECONDS = 300;

/** An exchange with a node; time and size have defaults. */
export interface HttpJsonRequest extends Omit<BoundedRequest, 'timeoutMs' | 'maxBytes'> {
  timeoutMs?: number;
  maxBytes?: number;
}

/**
 * One HTTP exchange with a node, parsed as JSON. No wait that a node asks for is longer than five minutes.
 * @throws ChainError `timeout`, `unreachable` (connection, 5xx), `rate_limited` (429, with its Retry-After) or `invalid_answer`
 */
export async function httpJson({
  timeoutMs = DEFAULT_TIMEOUT_MS,
  maxBytes = DEFAULT_MAX_BYTES,
  ...request
}: HttpJsonRequest): Promise<unknown> {
  try {
    return await fetchJson({ ...request, timeoutMs, maxBytes });
  } catch (cause) {
    if (!(cause instanceof FetchError)) throw cause;
    const asked = cause.retryAfterSeconds;
    throw new ChainError(cause.reason, cause.message, {
      cause,
      ...(asked !== undefined && { retryAfterSeconds: Math.min(asked, MAX_RETRY_AFTER_SECONDS) }),
    });
  }
}
