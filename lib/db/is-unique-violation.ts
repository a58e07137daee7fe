/** PostgreSQL's SQLSTATE for a broken unique key. */
const UNIQUE_VIOLATION = '23505';

/** Was a statement refused because a row with the same unique key exists? */
export function isUniqueViolation(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === UNIQUE_VIOLATION;
}
