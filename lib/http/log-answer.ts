import type { Logger } from '@/lib/logging/logger';
import { AppError } from '@/lib/shared/errors';

export interface AnsweredRequest {
  request: Request;
  requestId: string;
  response: Response;
  /** What was thrown on the way, if anything. */
  failure: unknown;
  /** `performance.now()` at the start. */
  startedAt: number;
}

/**
 * Writes one line for a request: error with the cause for our own faults, info for refusals, debug for the rest.
 * The query string stays out: people search for names and addresses.
 */
export function logAnswer(logger: Logger, { request, requestId, response, failure, startedAt }: AnsweredRequest): void {
  const level = response.status >= 500 ? 'error' : response.status >= 400 ? 'info' : 'debug';
  if (!logger.isLevelEnabled(level)) return;
  logger[level](
    {
      requestId,
      method: request.method,
      path: new URL(request.url).pathname,
      status: response.status,
      durationMs: Math.round(performance.now() - startedAt),
      ...(level === 'error' && failure instanceof Error && { err: failure }),
      ...(failure instanceof AppError && { code: failure.code }),
    },
    'request',
  );
}
