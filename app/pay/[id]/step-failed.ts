import type { StepState } from '@/components/payment/step-action';
import { webLogger } from '@/lib/http/web-logger';
import { AppError } from '@/lib/shared/errors';
import { MESSAGES } from '@/lib/shared/messages';

/** Answer of a form whose use case refused (its own message) or broke (logged, a plain message). */
export function stepFailed(error: unknown, title: string, value: string): StepState {
  if (error instanceof AppError) return { fieldError: null, failure: { title, message: error.message }, value };
  webLogger().error({ err: error }, 'pay page: step failed');
  return { fieldError: null, failure: { title, message: MESSAGES.errors.internal_error }, value };
}
