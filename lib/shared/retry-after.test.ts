import { expect, test } from 'vitest';
import { parseRetryAfter } from './retry-after';

const now = new Date('2026-11-27T12:00:00Z');

test.each<[string | null, number | null]>([
  ['120', 120],
  [' 0 ', 0],
  ['Fri, 27 Nov 2026 12:02:00 GMT', 120],
  ['Fri, 27 Nov 2026 11:00:00 GMT', 0],
  ['-5', null],
  ['1e3', null],
  ['soon', null],
  ['2026', 2026],
  ['99999999999999999999', null],
  ['', null],
  [null, null],
])('%j is %j seconds', (header, seconds) => {
  expect(parseRetryAfter(header, now)).toBe(seconds);
});
