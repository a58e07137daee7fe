/**
 * Reads a Retry-After header: seconds or an HTTP date (RFC 9110, section 10.2.3).
 * @param now the time by the clock that wrote it; where that is not known (null), a date says nothing
 * @returns seconds from now, 0 or more; null when there is no header or it says neither
 */
export function parseRetryAfter(header: string | null, now: Date | null): number | null {
  if (header === null) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text);
  if (!/^[A-Z][a-z]{2}, /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) || now === null ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
}
