import { ApiError } from './api-error';

/** The text of a failure for people: the call's own, else `fallback`. */
export function errorMessage(error: unknown, fallback: string): string {
  return error instanceof ApiError ? error.message : fallback;
}
