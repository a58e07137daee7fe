import { z } from 'zod';

const ROLES = ['watcher', 'dispatcher', 'signer'] as const;

/** A part of the product that runs without a browser or a request. */
export type WorkerRole = (typeof ROLES)[number];

const RolesSchema = z.array(z.enum(ROLES)).min(1);

/**
 * Roles that a command line names, each once, in the order given.
 * @throws Error with one sentence for people when there is none or one is unknown
 */
export function parseRoles(args: readonly string[]): WorkerRole[] {
  const result = RolesSchema.safeParse(args);
  if (!result.success) throw new Error(`Name the roles to run, one or more of: ${ROLES.join(', ')}.`);
  return [...new Set(result.data)];
}
