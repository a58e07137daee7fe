import type { FieldErrors, FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';

/**
 * Lets a zod schema judge a form of react-hook-form: the submitted values are the schema's output, each field shows its
 * first message. The forms here are flat, so a field is the first part of an issue's path.
 */
export function zodResolver<Values extends FieldValues, Output>(
  schema: z.ZodType<Output>,
): Resolver<Values, unknown, Output> {
  return async (values) => {
    const result = await schema.safeParseAsync(values);
    if (result.success) return { values: result.data, errors: {} };
    const errors: Record<string, { type: string; message: string }> = {};
    for (const issue of result.error.issues) {
      const field = String(issue.path[0] ?? 'root');
      errors[field] ??= { type: issue.code ?? 'invalid', message: issue.message };
    }
    return { values: {}, errors: errors as FieldErrors<Values> };
  };
}
