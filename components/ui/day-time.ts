const ZONE = 'Europe/Rome';
const DAY = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeZone: ZONE });
const TIME = new Intl.DateTimeFormat('it-IT', { timeStyle: 'short', timeZone: ZONE });
const DATE = new Intl.DateTimeFormat('it-IT', { dateStyle: 'medium', timeZone: ZONE });
const DAY_MS = 24 * 60 * 60 * 1000;

/** A moment for lists: "oggi, 18:42", "ieri, 19:48", else "26 nov 2026, 11:31"; Europe/Rome. */
export function dayTime(iso: string, now: Date): string {
  const date = new Date(iso);
  return `${dayName(date, now)}, ${TIME.format(date)}`;
}

function dayName(date: Date, now: Date): string {
  const day = DAY.format(date);
  if (day === DAY.format(now)) return 'oggi';
  // Noon of the day before: a day with a clock change is 23 or 25 hours long.
  const noon = new Date(`${DAY.format(now)}T12:00:00Z`);
  return day === DAY.format(new Date(noon.getTime() - DAY_MS)) ? 'ieri' : DATE.format(date);
}
