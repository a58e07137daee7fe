import type { z } from 'zod';
import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { webDatabase } from '@/lib/db/web-database';
import type { Logger } from '@/lib/logging/logger';
import { AppError } from '@/lib/shared/errors';
import { type Clock, systemClock } from '@/lib/shared/time';
import { type Auth, authenticate, type PrincipalOf } from './authenticate';
import { clientAddress } from './client-address';
import { problemResponse } from './problem';
import { consumeLimits, type LimitUse, refundLimits } from './rate-limit';
import { readJsonBody } from './read-json-body';
import { logAnswer, requestIdOf, webLogger } from './request-log';
import { parseQuery, validate } from './validate';

type Schema = z.ZodType | undefined;
type Output<S extends Schema> = S extends z.ZodType ? z.output<S> : undefined;
/** With a response schema the handler returns what goes in; without one it answers with a Response of its own. */
type Answer<R extends Schema> = R extends z.ZodType ? z.input<R> : Response;

/** What every handler has at hand, whatever it declares. */
interface BaseContext {
  request: Request;
  requestId: string;
  clock: Clock;
  readonly db: Database;
  /** Writes the request id with every line. */
  readonly logger: Logger;
  /** The caller's network address (client-address.ts). */
  readonly clientAddress: string;
  /** Status and further headers of a good answer; `status` starts as the route's own. */
  reply: { status: number; headers: Headers };
}

interface RouteContext<A extends Auth, P extends Schema, Q extends Schema, B extends Schema> extends BaseContext {
  principal: PrincipalOf<A>;
  params: Output<P>;
  query: Output<Q>;
  body: Output<B>;
}

export interface RouteDefinition<
  A extends Auth,
  P extends Schema,
  Q extends Schema,
  B extends Schema,
  R extends Schema,
> {
  auth: A;
  /** Path parameters; what does not fit names nothing that exists: 404. */
  params?: P;
  query?: Q;
  /** JSON object in the body. Without a schema the body is not read. */
  body?: B;
  /** Every answer passes through it: what it does not name never leaves the house. */
  response?: R;
  /** Status of a good answer, 200 when left out. */
  status?: number;
  /** Limits that the request counts against, before the handler runs. */
  limits?: (context: RouteContext<A, P, Q, B>) => LimitUse[];
  /** The limits count failures only: a good answer takes its count back. */
  limitsCountFailures?: boolean;
  handler: (context: RouteContext<A, P, Q, B>) => Promise<Answer<R>>;
}

/** What Next calls for one method of a route. */
export type RouteHandler = (request: Request, segment: { params: Promise<unknown> }) => Promise<Response>;

/**
 * Makes a Next route handler out of a declaration: authenticates, checks what was sent, counts it against the limits,
 * runs the handler, checks the answer, and turns whatever is thrown on the way into problem+json. Every answer carries
 * `X-Request-Id`.
 */
export function defineRoute<
  A extends Auth,
  P extends Schema = undefined,
  Q extends Schema = undefined,
  B extends Schema = undefined,
  R extends Schema = undefined,
>(definition: RouteDefinition<A, P, Q, B, R>): RouteHandler {
  return async (request, segment) => {
    const startedAt = performance.now();
    const requestId = requestIdOf(request.headers);
    const base = baseContext(request, requestId, definition.status ?? 200);
    let response: Response;
    let failure: unknown;
    try {
      response = await answer(definition, base, segment);
    } catch (thrown) {
      failure = thrown;
      response = problemResponse(thrown, requestId, base.reply.headers);
    }
    response.headers.set('X-Request-Id', requestId);
    logAnswer(webLogger(), { request, requestId, response, failure, startedAt });
    return response;
  };
}

async function answer<A extends Auth, P extends Schema, Q extends Schema, B extends Schema, R extends Schema>(
  definition: RouteDefinition<A, P, Q, B, R>,
  base: BaseContext,
  segment: { params: Promise<unknown> },
): Promise<Response> {
  const { request, reply } = base;
  const principal = await authenticate(definition.auth, request.headers, base);
  const context: RouteContext<A, P, Q, B> = Object.assign(base, {
    principal,
    params: (definition.params && parseParams(definition.params, await segment.params)) as Output<P>,
    query: (definition.query &&
      validate(definition.query, parseQuery(new URL(request.url).searchParams), 'query')) as Output<Q>,
    body: (definition.body && validate(definition.body, await readJsonBody(request), 'body')) as Output<B>,
  });
  const uses = definition.limits?.(context) ?? [];
  if (uses.length > 0) await consumeLimits(base.db, uses, reply.headers);
  const result = await definition.handler(context);
  if (uses.length > 0 && definition.limitsCountFailures) await refundLimits(base.db, uses);
  if (!definition.response) return result as Response;
  return Response.json(checkAnswer(definition.response, result), reply);
}

/** The lazy ones cost nothing, and need no configuration, where a handler does not use them. */
function baseContext(request: Request, requestId: string, status: number): BaseContext {
  return {
    request,
    requestId,
    clock: systemClock,
    reply: { status, headers: new Headers() },
    get db() {
      return webDatabase();
    },
    get logger() {
      return webLogger().child({ requestId });
    },
    get clientAddress() {
      return clientAddress(request.headers, env().TRUSTED_PROXIES);
    },
  };
}

function parseParams(schema: z.ZodType, params: unknown): unknown {
  const result = schema.safeParse(params);
  if (!result.success) throw new AppError('not_found');
  return result.data;
}

function checkAnswer(schema: z.ZodType, answer: unknown): unknown {
  const result = schema.safeParse(answer);
  if (!result.success) throw new Error('The answer does not fit its schema.', { cause: result.error });
  return result.data;
}
