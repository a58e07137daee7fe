import type { Logger } from '@/lib/logging/logger';
import type { Clock } from '@/lib/shared/time';

/** What a role gets to start with. `signal` aborts when the process is told to stop. */
export interface RoleContext {
  signal: AbortSignal;
  logger: Logger;
}

/** What its loops run with: the role's own connections tell the time of the database. */
export interface WorkerContext extends RoleContext {
  clock: Clock;
}
