import type { z } from 'zod';
import { env } from '@/lib/config/env';
import type { Database } from '@/lib/db/database';
import { knowTime, webClock, webDatabase } from '@/lib/db/web-database';
import type { Logger } from '@/lib/logging/logger';
import { AppError } from '@/lib/shared/errors';
import type { Clock } from '@/lib/shared/time';
import { type Auth, authenticate, type PrincipalOf } from './authenticate';
import { clientAddress } from './client-address';
import { DOORS, type Door, doorUses } from './doors';
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
  /** Counts the request against further limits; what counts failures only is taken back after a good answer. */
  count(uses: LimitUse[]): Promise<void>;
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
  /**
   * The door's limits, met before the body is read; a route that needs no sign-in and names none has `DOORS.other`. A
   * function says itself what to count.
   */
  door?: Door | ((context: BaseContext) => Promise<LimitUse[]>);
  /** Limits that need to know the caller or the body, met before the handler runs. */
  limits?: (context: RouteContext<A, P, Q, B>) => LimitUse[];
  handler: (context: RouteContext<A, P, Q, B>) => Promise<Answer<R>>;
}

/** What Next calls for one method of a route. */
export type RouteHandler = (request: Request, segment: { params: Promise<unknown> }) => Promise<Response>;

/**
 * Makes a Next route handler out of a declaration: counts the request at the door, authenticates, checks what was sent,
 * counts it against the other limits, runs the handler, checks the answer, and turns whatever is thrown on the way into
 * problem+json. Every answer carries `X-Request-Id`.
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
    const { base, counted } = baseContext(request, requestId, definition.status ?? 200);
    let response: Response;
    let failure: unknown;
    try {
      response = await answer(definition, base, segment);
    } catch (thrown) {
      failure = thrown;
      response = problemResponse(thrown, requestId, base.reply.headers);
    }
    if (response.status < 400 || response.status >= 500) await takeBack(base, counted);
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
  await knowTime();
  const door = definition.door ?? (definition.auth === 'none' ? DOORS.other : undefined);
  const params = definition.params?.safeParse(await segment.params);
  if (typeof door === 'function') await base.count(await door(base));
  else if (door) await base.count(doorUses(door, base.clientAddress, params?.data));
  const principal = await authenticate(definition.auth, request.headers, base);
  if (params && !params.success) throw new AppError('not_found');
  const context: RouteContext<A, P, Q, B> = Object.assign(base, {
    principal,
    params: params?.data as Output<P>,
    query: (definition.query &&
      validate(definition.query, parseQuery(new URL(request.url).searchParams), 'query')) as Output<Q>,
    body: (definition.body && validate(definition.body, await readJsonBody(request), 'body')) as Output<B>,
  });
  await base.count(definition.limits?.(context) ?? []);
  const result = await definition.handler(context);
  if (!definition.response) return result as Response;
  return Response.json(checkAnswer(definition.response, result), reply);
}

/** The lazy ones cost nothing, and need no configuration, where a handler does not use them. */
function baseContext(request: Request, requestId: string, status: number): { base: BaseContext; counted: LimitUse[] } {
  const counted: LimitUse[] = [];
  const base: BaseContext = {
    request,
    requestId,
    clock: webClock,
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
    async count(uses) {
      await consumeLimits(base, uses, base.reply.headers);
      counted.push(...uses);
    },
  };
  return { base, counted };
}

/** A count that cannot be taken back costs its owner one try, not the answer. */
async function takeBack(base: BaseContext, counted: LimitUse[]): Promise<void> {
  await refundLimits(base, counted).catch((error: unknown) => {
    base.logger.warn({ err: error }, 'limits not taken back');
  });
}

function checkAnswer(schema: z.ZodType, answer: unknown): unknown {
  const result = schema.safeParse(answer);
  if (!result.success) throw new Error('The answer does not fit its schema.', { cause: result.error });
  return result.data;
}
