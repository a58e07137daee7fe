/**
 * A query string as a plain object. An empty value counts as left out (forms send them); a name that is given twice
 * becomes an array, which no schema of a single value accepts.
 */
export function parseQuery(parameters: URLSearchParams): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = Object.create(null);
  for (const name of new Set(parameters.keys())) {
    const values = parameters.getAll(name).filter((value) => value !== '');
    const [first, ...others] = values;
    if (first !== undefined) query[name] = others.length === 0 ? first : values;
  }
  return query;
}
