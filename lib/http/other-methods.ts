import { AppError } from '@/lib/shared/errors';
import type { RouteHandler } from './define-route';
import { problemResponse } from './problem';
import { requestIdOf } from './request-log';

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof METHODS)[number];

/**
 * Handlers for the methods that a route does not have: 405 as problem+json with `Allow` (Next's own 405 has neither).
 * Every route exports them: `export const { HEAD, PUT, PATCH, DELETE } = otherMethods('GET', 'POST');`
 *
 * HEAD is one of them: for a route without a handler of its own Next runs the one for GET, whatever that does, and nobody
 * reads what it answers. A route whose GET does nothing but read may allow it: `export { GET as HEAD }`.
 * @param allowed the methods that the route has
 */
export function otherMethods<M extends Method>(...allowed: M[]): Record<Exclude<Method, M>, RouteHandler> {
  const allow = [...allowed, 'OPTIONS'].join(', ');
  const refuse: RouteHandler = async ({ headers }) => {
    const requestId = requestIdOf(headers);
    const answered = new Headers({ Allow: allow, 'X-Request-Id': requestId });
    return problemResponse(new AppError('method_not_allowed'), requestId, answered);
  };
  const refused = METHODS.filter((method) => !(allowed as Method[]).includes(method));
  return Object.fromEntries(refused.map((method) => [method, refuse])) as Record<Exclude<Method, M>, RouteHandler>;
}
