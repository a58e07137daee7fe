/** Source of the current time; passed in wherever a decision depends on it, so that tests can set it. */
export type Clock = () => Date;

/** The machine's clock. */
export const systemClock: Clock = () => new Date();

/** A moment `seconds` after `date`. */
export function addSeconds(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
