import { Agent, request as send } from 'undici';
import { parseRetryAfter } from '@/lib/shared/retry-after';

/** Why an exchange brought nothing to read. */
export type FetchFault = 'timeout' | 'unreachable' | 'rate_limited' | 'invalid_answer';

/** A failed exchange. It names the host only: paths and names in URLs are often keys. */
export class FetchError extends Error {
  constructor(
    readonly reason: FetchFault,
    message: string,
    options: { cause?: unknown } = {},
    /** What the other side asked for with a 429. */
    readonly retryAfterSeconds?: number,
  ) {
    super(message, options);
    this.name = 'FetchError';
  }
}

export interface BoundedRequest {
  url: string | URL;
  /** Text of a JSON body; with one the request is a POST, without a GET. */
  body?: string | undefined;
  headers?: Record<string, string> | undefined;
  /** Most time for connection, headers and the whole body. */
  timeoutMs: number;
  /** Most bytes of the answer; it is not read any further. */
  maxBytes: number;
  signal?: AbortSignal | undefined;
}

type Headers = Record<string, string | string[] | undefined>;

/** Connections are kept per limit, since undici limits the size of answers by the agent. */
const agents = new Map<number, Agent>();

/**
 * One HTTP exchange with somebody else's server: sends, reads the answer within time and size, parses it as JSON. Follows no
 * redirect. A name and a password in the URL become Basic authentication.
 * @throws FetchError `timeout`, `unreachable` (connection, redirect, 5xx), `rate_limited` (429, with its Retry-After) or
 *   `invalid_answer` (any other status, too long, not JSON)
 */
export async function fetchJson(request: BoundedRequest): Promise<unknown> {
  return (await fetchDatedJson(request)).body;
}

/**
 * The same, with the time at which the other side says it answered (`Date`, RFC 9110, section 6.6.1).
 * @returns `at` is null when it says none
 */
export async function fetchDatedJson(request: BoundedRequest): Promise<{ body: unknown; at: Date | null }> {
  const { host } = new URL(request.url);
  const { text, at } = await exchange(request, host);
  try {
    return { body: JSON.parse(text), at };
  } catch (cause) {
    throw new FetchError('invalid_answer', `${host} did not answer with JSON`, { cause });
  }
}

async function exchange(request: BoundedRequest, host: string): Promise<{ text: string; at: Date | null }> {
  const { timeoutMs, maxBytes } = request;
  // Not AbortSignal.any: the caller's signal outlives thousands of requests, and would keep something of each.
  const controller = new AbortController();
  const abort = () => controller.abort();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    abort();
  }, timeoutMs);
  request.signal?.addEventListener('abort', abort, { once: true });
  if (request.signal?.aborted) abort();
  try {
    const { statusCode, headers, body } = await send(...requestArguments(request, controller.signal));
    if (statusCode >= 200 && statusCode < 300) return { text: await body.text(), at: dateOf(headers) };
    await body.dump();
    throw refusal(statusCode, headers, host);
  } catch (cause) {
    if (cause instanceof FetchError) throw cause;
    if (isLate) throw new FetchError('timeout', `${host} did not answer within ${timeoutMs} ms`, { cause });
    if (isTooLong(cause))
      throw new FetchError('invalid_answer', `${host} answered more than ${maxBytes} bytes`, { cause });
    throw new FetchError('unreachable', `${host} cannot be reached`, { cause });
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
  }
}

function requestArguments(request: BoundedRequest, signal: AbortSignal): Parameters<typeof send> {
  const url = new URL(request.url);
  // Not packed: the limit counts what is received, and a small answer can unpack into a large one.
  const packing = { accept: 'application/json', 'accept-encoding': 'identity' };
  const headers: Record<string, string> = { ...packing, ...request.headers };
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  if (url.username) {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(login).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  const method = request.body === undefined ? 'GET' : 'POST';
  return [url, { method, headers, body: request.body ?? null, signal, dispatcher: agentOf(request.maxBytes) }];
}

function agentOf(maxBytes: number): Agent {
  const agent = agents.get(maxBytes) ?? new Agent({ maxResponseSize: maxBytes });
  agents.set(maxBytes, agent);
  return agent;
}

/** A date in Retry-After is compared with the answer's own date (RFC 9110, section 6.6.1): both are the other side's clock. */
function refusal(status: number, headers: Headers, host: string): FetchError {
  if (status === 429) {
    const header = headers['retry-after'];
    const seconds = parseRetryAfter(typeof header === 'string' ? header : null, dateOf(headers));
    return new FetchError('rate_limited', `${host} asks for fewer requests`, {}, seconds ?? undefined);
  }
  const isAway = status >= 500 || (status >= 300 && status < 400);
  return new FetchError(isAway ? 'unreachable' : 'invalid_answer', `${host} answered HTTP ${status}`);
}

function dateOf({ date }: Headers): Date | null {
  const at = new Date(typeof date === 'string' ? date : Number.NaN);
  return Number.isNaN(at.getTime()) ? null : at;
}

function isTooLong(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE';
}
