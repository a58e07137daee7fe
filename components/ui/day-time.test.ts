import { describe, expect, test } from 'vitest';
import { dayTime } from './day-time';

const now = new Date('2026-11-27T17:42:00Z');

describe('dayTime', () => {
  test('names today and yesterday by the day in Rome, not by elapsed hours', () => {
    expect(dayTime('2026-11-27T17:42:00Z', now)).toBe('oggi, 18:42');
    expect(dayTime('2026-11-26T23:30:00Z', now)).toBe('oggi, 00:30');
    expect(dayTime('2026-11-26T18:48:00Z', now)).toBe('ieri, 19:48');
  });

  test('older moments carry their date', () => {
    expect(dayTime('2026-11-25T17:57:00Z', now)).toBe('25 nov 2026, 18:57');
  });

  test('yesterday is right across a clock change', () => {
    expect(dayTime('2026-10-24T12:00:00Z', new Date('2026-10-25T23:30:00Z'))).toBe('24 ott 2026, 14:00');
    expect(dayTime('2026-10-25T12:00:00Z', new Date('2026-10-25T23:30:00Z'))).toBe('ieri, 13:00');
  });
});
