/** Source of the current time; passed in wherever a decision depends on it, so that tests can set it. */
export type Clock = () => Date;

/** The machine's clock: for tests and benches. Processes decide by their database's (lib/db/database-clock.ts). */
export const systemClock: Clock = () => new Date();

/** A moment `seconds` after `date`. */
export function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
