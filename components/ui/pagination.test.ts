import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageNumbers } from './pagination';

describe('pageNumbers', () => {
  test('shows a window of five around the current page', () => {
    expect(pageNumbers(1, 13)).toEqual([1, 2, 3, 4, 5]);
    expect(pageNumbers(7, 13)).toEqual([5, 6, 7, 8, 9]);
    expect(pageNumbers(13, 13)).toEqual([9, 10, 11, 12, 13]);
    expect(pageNumbers(2, 3)).toEqual([1, 2, 3]);
    expect(pageNumbers(1, 0)).toEqual([]);
  });

  test('never shows more than five numbers, all real pages, the current one among them', () => {
    const pages = fc
      .integer({ min: 1, max: 5000 })
      .chain((total) => fc.tuple(fc.integer({ min: 1, max: total }), fc.constant(total)));
    fc.assert(
      fc.property(pages, ([page, total]) => {
        const numbers = pageNumbers(page, total);
        expect(numbers.length).toBe(Math.min(5, total));
        expect(numbers).toContain(page);
        expect(numbers.every((number) => number >= 1 && number <= total)).toBe(true);
      }),
    );
  });
});
