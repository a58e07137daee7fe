import type { z } from 'zod';
import { Problem } from '@/lib/api-schema/problem';
import { REQUEST_TIMEOUT_MS } from '@/lib/shared/limits';
import { readToken, reportDeadToken } from './session-token';

interface ApiRequest<T> {
  method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Sent as JSON. */
  body?: unknown;
  /** Query parameters; undefined ones are left out. */
  query?: Record<string, string | number | boolean | undefined>;
  /** Shape of the answer; what does not fit it is an `invalid_response` error. */
  schema: z.ZodType<T>;
  /** Italian text shown when the server gives none. */
  fallback: string;
  signal?: AbortSignal | undefined;
  /**
   * `session` sends the stored token, and a 401 for it ends the session; `none` sends none and a 401 is an error like
   * others (public pages, login, registration).
   */
  auth?: 'session' | 'none';
  headers?: Record<string, string>;
}

/**
 * Calls the product's API (`path` starts after `/api`).
 * @throws {ApiError} on refusal, no answer within 90 s, no connection, or an answer of another shape.
 */
export async function apiFetch<T>(path: string, request: ApiRequest<T>): Promise<T> {
  const { schema, fallback, auth = 'session' } = request;
  const token = auth === 'session' ? readToken() : null;
  const response = await send(path, request, token);
  const answer: unknown = await response.json().catch(() => undefined);

  if (!response.ok) {
    if (response.status === 401 && token !== null) reportDeadToken(token);
    throw refusal(response.status, answer, fallback);
  }
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new ApiError(
    { status: response.status, code: 'invalid_response', message: fallback, fromServer: false },
    { cause: parsed.error },
  );
}

async function send<T>(path: string, request: ApiRequest<T>, token: string | null): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const headers = new Headers({ Accept: 'application/json', ...request.headers });
  if (request.body !== undefined) headers.set('Content-Type', 'application/json');
  if (token !== null) headers.set('Authorization', `Bearer ${token}`);
  try {
    return await fetch(`/api${path}${queryString(request.query)}`, {
      method: request.method ?? 'GET',
      headers,
      credentials: 'omit',
      cache: 'no-store',
      body: request.body === undefined ? undefined : JSON.stringify(request.body),
      signal: request.signal ? AbortSignal.any([request.signal, timeout]) : timeout,
    });
  } catch (error) {
    if (request.signal?.aborted) throw error;
    const code = timeout.aborted ? 'timeout' : 'network_error';
    throw new ApiError({ status: 0, code, message: request.fallback, fromServer: false }, { cause: error });
  }
}

function refusal(status: number, answer: unknown, fallback: string): ApiError {
  const problem = Problem.partial().safeParse(answer);
  const { message, code, errors, requestId } = problem.success ? problem.data : {};
  return new ApiError({
    status,
    code: code ?? `http_${status}`,
    message: message ?? fallback,
    fromServer: message !== undefined,
    errors,
    requestId,
  });
}

function queryString(query: ApiRequest<unknown>['query']): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined) params.set(name, String(value));
  }
  return params.size > 0 ? `?${params}` : '';
}

interface ApiErrorFacts {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Code of the problem answer, or `timeout`, `network_error`, `invalid_response`. */
  code: string;
  /** Italian text for people: the server's, else the default text of the call. */
  message: string;
  /** True when `message` is the server's own. */
  fromServer: boolean;
  errors?: Problem['errors'];
  requestId?: string | undefined;
}

/** A call to the API that did not succeed. `message` can be shown as it is. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fromServer: boolean;
  readonly errors: Problem['errors'];
  readonly requestId: string | undefined;

  constructor(facts: ApiErrorFacts, options?: ErrorOptions) {
    super(facts.message, options);
    this.name = 'ApiError';
    this.status = facts.status;
    this.code = facts.code;
    this.fromServer = facts.fromServer;
    this.errors = facts.errors;
    this.requestId = facts.requestId;
  }
}

/** The text of a failure for people: the call's own, else `fallback`. */
export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError ? error.message : fallback;
}
