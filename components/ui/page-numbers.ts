/** At most this many page numbers are shown (spec section 9). */
const MAX_NUMBERS = 5;

/** Page numbers to show: a window of at most five around the current page, kept inside 1…totalPages. */
export function pageNumbers(page: number, totalPages: number): number[] {
  const count = Math.min(MAX_NUMBERS, totalPages);
  const first = Math.max(1, Math.min(page - Math.floor(MAX_NUMBERS / 2), totalPages - count + 1));
  return Array.from({ length: count }, (_, index) => first + index);
}
