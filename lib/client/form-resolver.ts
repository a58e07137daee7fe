import { zodResolver } from '@hookform/resolvers/zod';
import type { FieldValues, Resolver } from 'react-hook-form';
import type { z } from 'zod';
import { issueMessage } from '@/lib/api-schema/issue-message';

/**
 * Lets a zod schema judge a form of react-hook-form: the submitted values are the schema's output, each field shows its
 * first message, in Italian also where the schema brings none of its own.
 */
export function formResolver<Values extends FieldValues, Output>(
  schema: z.ZodType<Output, Values>,
): Resolver<Values, unknown, Output> {
  return zodResolver(schema, { error: issueMessage });
}
