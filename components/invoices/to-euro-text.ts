/** Cents as a person types them: 124850 → "1248,50". */
export function toEuroText(cents: number): string {
  return `${Math.trunc(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
}
