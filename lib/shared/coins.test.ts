import { expect, test } from 'vitest';
import { COINS, coinsFrom } from './coins';

test('a screen with an order of its own still has every coin once, also those that it does not name', () => {
  expect(coinsFrom([])).toEqual(COINS);
  const listed = coinsFrom(['LTC', 'BNB']);
  expect(listed.slice(0, 2)).toEqual(['LTC', 'BNB']);
  expect([...listed].sort()).toEqual([...COINS].sort());
});
