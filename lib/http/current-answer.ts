import { AsyncLocalStorage } from 'node:async_hooks';
import type { ServerResponse } from 'node:http';
import { processSingleton } from '@/lib/shared/process-singleton';
import { UNAVAILABLE_RETRY_SECONDS } from './problem';

const answers = () => processSingleton('current-answer', () => new AsyncLocalStorage<ServerResponse>());

/** Called where a request comes in: whatever is done for it afterwards knows its answer. */
export function enterAnswer(response: ServerResponse): void {
  answers().enterWith(response);
}

/**
 * Makes a page's answer a 503 with Retry-After: Next gives pages no way to say their status, and a cache or a monitor would
 * take a 200 for good. Does nothing once the page is on its way.
 */
export function answerUnavailable(): void {
  const response = answers().getStore();
  if (!response || response.headersSent) return;
  response.statusCode = 503;
  response.setHeader('Retry-After', UNAVAILABLE_RETRY_SECONDS);
}
