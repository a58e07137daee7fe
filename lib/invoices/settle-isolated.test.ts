import { expect, it } from 'vitest';
import { failureWaitSeconds } from './settle-isolated';

it('an invoice that fails is left alone longer each time, and never for more than an hour', () => {
  expect([1, 2, 3, 4, 5, 6, 1_000].map(failureWaitSeconds)).toEqual([1, 5, 30, 300, 3_600, 3_600, 3_600]);
});
