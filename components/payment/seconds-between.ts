/** Whole seconds from one moment to a later one (ISO texts), 0 when it is over. */
export function secondsBetween(from: string, to: string): number {
  return Math.max(0, Math.ceil((Date.parse(to) - Date.parse(from)) / 1000));
}
