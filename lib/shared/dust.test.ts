import { expect, test } from 'vitest';
import { COIN_INFO, COINS } from './coins';
import { leastToldUnits, smallestShownUnits, toShownAmount } from './money';

test.each(COINS)('%s: dust is more than one base unit, less than any invoice, and may be shown', (coin) => {
  const { dustUnits, minimumUnits } = COIN_INFO[coin];
  expect(dustUnits).toBeGreaterThan(1n);
  expect(dustUnits).toBeLessThan(minimumUnits);
  expect(Number(toShownAmount(leastToldUnits(coin), coin, 'down'))).toBeGreaterThan(0);
});

test.each(COINS)('%s: nothing is told of less than its dust, nor of less than can be shown', (coin) => {
  expect(leastToldUnits(coin)).toBeGreaterThanOrEqual(COIN_INFO[coin].dustUnits);
  expect(leastToldUnits(coin)).toBeGreaterThanOrEqual(smallestShownUnits(coin));
});

test.each(COINS)('%s: no invoice can be forced paid with dust', (coin) => {
  expect(COIN_INFO[coin].dustUnits).toBeLessThanOrEqual(COIN_INFO[coin].forceThresholdUnits);
});
