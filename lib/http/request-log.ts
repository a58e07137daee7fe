import { randomUUID } from 'node:crypto';
import { createLogger, type Logger } from '@/lib/logging/logger';
import { AppError } from '@/lib/shared/errors';
import { processSingleton } from '@/lib/shared/process-singleton';

const ACCEPTED = /^[\w-]{8,64}$/;

/** The web process's one logger; made at the first use, when the environment is the one that it runs in. */
export function webLogger(): Logger {
  return processSingleton('web-logger', () => createLogger('web'));
}

/** The caller's or proxy's own `X-Request-Id` when it is harmless in a log line, else a new one. */
export function requestIdOf(headers: Headers): string {
  const given = headers.get('x-request-id');
  return given && ACCEPTED.test(given) ? given : randomUUID();
}

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
 * Writes one line for a request: error with the cause for our own faults, info for refusals, debug for the rest. Of what the
 * limits refuse only one line a second is info: whoever hammers must not fill the disk. The query string stays out: people search for names and addresses.
 */
export function logAnswer(logger: Logger, { request, requestId, response, failure, startedAt }: AnsweredRequest): void {
  const level = levelOf(response.status);
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

function levelOf(status: number): 'error' | 'info' | 'debug' {
  if (status >= 500) return 'error';
  return status >= 400 && !(status === 429 && isRepeated()) ? 'info' : 'debug';
}

/** Has a line about limits been written within the last second? */
function isRepeated(): boolean {
  const last = processSingleton('refusal-logged', () => ({ at: Number.NEGATIVE_INFINITY }));
  if (performance.now() - last.at < 1_000) return true;
  last.at = performance.now();
  return false;
}
