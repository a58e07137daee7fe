import { ChainError } from '../types';

const DEFAULT_TIMEOUT_MS = 10_000;
const DEFAULT_MAX_BYTES = 32 * 1024 * 1024;
const MAX_RETRY_AFTER_SECONDS = 300;

export interface HttpJsonRequest {
  url: string;
  /** Text of a JSON body; with one the request is a POST, without a GET. */
  body?: string;
  headers?: Record<string, string>;
  /** Most time for connection, headers and the whole body. */
  timeoutMs?: number;
  /** Most bytes of the answer. */
  maxBytes?: number;
  signal?: AbortSignal | undefined;
}

/**
 * One HTTP exchange with a node: sends, reads the answer within time and size, parses it as JSON.
 * A name and password in the URL become Basic authentication. Errors name the host only, because paths often carry keys.
 * @throws ChainError `timeout`, `unreachable` (connection, 5xx), `rate_limited` (429, with its Retry-After) or `invalid_answer`
 */
export async function httpJson(request: HttpJsonRequest): Promise<unknown> {
  const { host } = new URL(request.url);
  const text = await exchange(request, host);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ChainError('invalid_answer', `${host} did not answer with JSON`, { cause });
  }
}

async function exchange(request: HttpJsonRequest, host: string): Promise<string> {
  const timeoutMs = request.timeoutMs ?? DEFAULT_TIMEOUT_MS;
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
    const response = await fetch(...fetchArguments(request, controller.signal));
    if (!response.ok) await refuse(response, host);
    return await readText(response, request.maxBytes ?? DEFAULT_MAX_BYTES, host);
  } catch (cause) {
    if (cause instanceof ChainError) throw cause;
    if (isLate) throw new ChainError('timeout', `${host} did not answer within ${timeoutMs} ms`, { cause });
    throw new ChainError('unreachable', `${host} cannot be reached`, { cause });
  } finally {
    clearTimeout(timer);
    request.signal?.removeEventListener('abort', abort);
  }
}

function fetchArguments(request: HttpJsonRequest, signal: AbortSignal): [string, RequestInit] {
  const url = new URL(request.url);
  const headers: Record<string, string> = { accept: 'application/json', ...request.headers };
  if (request.body !== undefined) headers['content-type'] = 'application/json';
  if (url.username) {
    const login = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    headers.authorization = `Basic ${Buffer.from(login).toString('base64')}`;
    url.username = '';
    url.password = '';
  }
  const method = request.body === undefined ? 'GET' : 'POST';
  return [url.href, { method, headers, body: request.body ?? null, redirect: 'error', signal }];
}

async function refuse(response: Response, host: string): Promise<never> {
  await response.body?.cancel().catch(() => undefined);
  const { status } = response;
  if (status === 429) {
    const retryAfterSeconds = parseRetryAfter(response.headers.get('retry-after'));
    throw new ChainError('rate_limited', `${host} asks for fewer requests`, { retryAfterSeconds });
  }
  throw new ChainError(status >= 500 ? 'unreachable' : 'invalid_answer', `${host} answered HTTP ${status}`);
}

/** Seconds of a Retry-After header (RFC 9110, seconds or a date), bounded; undefined when absent or unreadable. */
function parseRetryAfter(header: string | null): number | undefined {
  if (!header) return undefined;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.min(Math.max(Math.ceil(seconds), 0), MAX_RETRY_AFTER_SECONDS) : undefined;
}

async function readText(response: Response, maxBytes: number, host: string): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const chunks: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.byteLength;
    if (size > maxBytes) {
      await reader.cancel().catch(() => undefined);
      throw new ChainError('invalid_answer', `${host} answered more than ${maxBytes} bytes`);
    }
    chunks.push(part.value);
  }
  return Buffer.concat(chunks).toString('utf8');
}
