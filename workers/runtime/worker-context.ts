import type { Logger } from '@/lib/logging/logger';
import type { Clock } from '@/lib/shared/time';

/** What a role gets to run with. `signal` aborts when the process is told to stop. */
export interface WorkerContext {
  signal: AbortSignal;
  logger: Logger;
  clock: Clock;
}
