import { z } from 'zod';

/** RFC 9457 problem details, with the extensions that our screens and integrators read. */
export const Problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  /** Stable machine code (lib/shared/errors). */
  code: z.string(),
  /** Italian text for people; what the screens show. */
  message: z.string(),
  errors: z.array(z.object({ pointer: z.string(), code: z.string(), detail: z.string() })).optional(),
  requestId: z.string(),
});
export type Problem = z.infer<typeof Problem>;
