import type { z } from 'zod';
import { issueMessage } from '@/lib/api-schema/issue-message';
import { AppError, type FieldError } from '@/lib/shared/errors';

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
  const byPointer = new Map<string, FieldError>();
  for (const error of all) if (!byPointer.has(error.pointer)) byPointer.set(error.pointer, error);
  const errors = [...byPointer.values()];
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

/**
 * Looks for a text that Postgres cannot hold as it is: with a NUL character, or with half of a surrogate pair.
 * @param value what a JSON parser or a query string gave: plain objects, arrays and scalars
 * @returns the path to the first one, or null
 */
function findUnstorableText(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = findUnstorableText(inner);
    if (found) return [name, ...found];
  }
  return null;
}

/**
 * A query string as a plain object. An empty value counts as left out (forms send them); a name that is given twice
 * becomes an array, which no schema of a single value accepts.
 */
export function parseQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of parameters) {
    if (value === '') continue;
    const known = query[name];
    if (known === undefined) query[name] = value;
    else if (typeof known === 'string') query[name] = [known, value];
    else known.push(value);
  }
  return query;
}
