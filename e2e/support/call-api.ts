/** An answer of the API, read to its end. */
export interface ApiAnswer {
  status: number;
  headers: Headers;
  /** Parsed JSON; the text itself when it is none. */
  body: unknown;
}

export interface ApiCall {
  method?: string;
  token?: string | undefined;
  apiKey?: string | undefined;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, under the JSON content type. */
  text?: string;
  headers?: Record<string, string>;
}

/**
 * Calls the API as an integrator's server would: over HTTP, without a browser.
 *
 * @param base base URL of the instance
 * @param path from `/api` on
 */
export async function callApi(base: string, path: string, call: ApiCall = {}): Promise<ApiAnswer> {
  const body = call.text ?? (call.json === undefined ? undefined : JSON.stringify(call.json));
  const headers = new Headers(call.headers);
  if (body !== undefined && !headers.has('content-type')) headers.set('content-type', 'application/json');
  if (call.token !== undefined) headers.set('authorization', `Bearer ${call.token}`);
  if (call.apiKey !== undefined) headers.set('x-api-key', call.apiKey);
  const method = call.method ?? (body === undefined ? 'GET' : 'POST');
  const response = await fetch(`${base}${path}`, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.timeout(30_000),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: parseJson(text) };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
