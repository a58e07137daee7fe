import type { z } from 'zod';
import { issueMessage } from '@/lib/api-schema/issue-message';
import { AppError, type FieldError } from '@/lib/shared/errors';
import { findUnstorableText } from './find-unstorable-text';

/** Where a value came from decides how its fields are named: a JSON pointer into the body, or a parameter's name. */
export type InputPlace = 'body' | 'query';

/**
 * Checks what a caller sent against its schema; unknown fields are left out.
 * @throws {AppError} `invalid_request` with one error per field; its message is the first field's Italian text
 */
export function validate<S extends z.ZodType>(schema: S, input: unknown, place: InputPlace): z.output<S> {
  const unstorable = findUnstorableText(input);
  if (unstorable) refuse([toFieldError(unstorable, 'invalid_text', 'Il testo contiene caratteri non ammessi.', place)]);
  const result = schema.safeParse(input, { error: issueMessage });
  if (result.success) return result.data;
  refuse(result.error.issues.map((issue) => toFieldError(issue.path, codeOf(issue, input), issue.message, place)));
}

function refuse(all: FieldError[]): never {
  const errors = all.filter((error, index) => all.findIndex(({ pointer }) => pointer === error.pointer) === index);
  throw new AppError('invalid_request', { message: errors[0]?.detail, errors });
}

function toFieldError(path: readonly PropertyKey[], code: string, detail: string, place: InputPlace): FieldError {
  const names = path.map(String);
  const pointer =
    place === 'body'
      ? names.map((name) => `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
      : names.join('.');
  return { pointer, code, detail };
}

function codeOf(issue: z.core.$ZodIssue, input: unknown): string {
  const value = issue.path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[name] : undefined),
    input,
  );
  if (value === undefined || value === null) return 'required';
  return issue.code === 'custom' || issue.code === 'invalid_union' ? 'invalid_value' : issue.code;
}
