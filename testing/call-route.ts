type Handler = (request: Request, segment: { params: Promise<unknown> }) => Promise<Response>;

export interface CallOptions {
  /** POST when there is something to send, else GET. */
  method?: string;
  /** Path and query below the host. */
  path?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, as application/json unless the headers say otherwise. */
  text?: string;
  /** Bearer token. */
  token?: string;
  headers?: Record<string, string>;
  /** What Next would have cut out of the path. */
  params?: Record<string, string>;
}

export interface RouteAnswer {
  status: number;
  headers: Headers;
  /** The answer's JSON; read its fields through an `expect` or a schema. */
  body: Record<string, unknown>;
}

/** Calls a route's handler with a real request, as Next does, and reads its JSON answer. */
export async function callRoute(handler: Handler, options: CallOptions = {}): Promise<RouteAnswer> {
  const text = options.text ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  const request = new Request(`http://localhost:3000${options.path ?? '/api/test'}`, {
    method: options.method ?? (text === undefined ? 'GET' : 'POST'),
    headers: {
      ...(text !== undefined && { 'Content-Type': 'application/json' }),
      ...(options.token && { Authorization: `Bearer ${options.token}` }),
      ...options.headers,
    },
    ...(text !== undefined && { body: text }),
  });
  const response = await handler(request, { params: Promise.resolve(options.params ?? {}) });
  return { status: response.status, headers: response.headers, body: await response.json() };
}
