import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { COINS, type Coin } from '@/lib/shared/coins';
import { CoinToken, coinLook } from './coin-token';

const draw = (coin: Coin) => renderToStaticMarkup(createElement(CoinToken, { coin }));

test.each(['ETH', 'BNB', 'TON', 'TRX', 'LTC'] as const)('%s has a drawing and a colour of its own', (coin) => {
  expect(draw(coin)).toContain('<path');
  expect(COINS.filter((other) => coinLook(other).fill === coinLook(coin).fill)).toEqual([coin]);
});

test('a coin that nobody has drawn yet shows its first letters in a neutral colour', () => {
  const markup = draw('USDT' as Coin);
  expect(markup).toMatch(/<text [^>]*>US<\/text>/);
  expect(markup).toContain('text-ink-2');
});
