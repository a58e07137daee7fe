/**
 * Looks for a text that Postgres cannot hold as it is: with a NUL character, or with half of a surrogate pair.
 * @param value what a JSON parser or a query string gave: plain objects, arrays and scalars
 * @returns the path to the first one, or null
 */
export function findUnstorableText(value: unknown): readonly string[] | null {
  if (typeof value === 'string') return value.includes('\0') || !value.isWellFormed() ? [] : null;
  if (typeof value !== 'object' || value === null) return null;
  for (const [name, inner] of Object.entries(value)) {
    const found = findUnstorableText(inner);
    if (found) return [name, ...found];
  }
  return null;
}
