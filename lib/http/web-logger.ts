import { createLogger, type Logger } from '@/lib/logging/logger';
import { processSingleton } from '@/lib/shared/process-singleton';

/** The web process's one logger; made at the first use, when the environment is the one that it runs in. */
export function webLogger(): Logger {
  return processSingleton('web-logger', () => createLogger('web'));
}
