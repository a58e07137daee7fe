import type { ProcessFacts } from './process-facts';

/** `next start` renames itself (process.title), which replaces its command line. */
const RETITLED = /^next-server\b/;

/**
 * Whether the process that now has a noted number is the one that was noted: never signal one for which this is false.
 *
 * @param noted what was written down when it started
 * @param now what runs under that number at this moment, if anything does
 */
export function isSameProcess(
  noted: Pick<ProcessFacts, 'startedAt' | 'command'>,
  now: ProcessFacts | undefined,
): boolean {
  if (now === undefined || now.startedAt !== noted.startedAt) return false;
  return now.command === noted.command || RETITLED.test(now.command);
}
