import { expect, test } from 'vitest';
import { binanceBookTicker } from './binance-book-ticker';
import { krakenTicker } from './kraken-ticker';
import { PriceTable } from './price-table';

const NOW = Date.UTC(2026, 10, 27);
const all = new URLSearchParams();

test('the same moment gives the same prices, another moment others, never far from the middle', () => {
  const table = new PriceTable();
  expect(krakenTicker(table, null, NOW)).toEqual(krakenTicker(new PriceTable(), null, NOW));
  expect(krakenTicker(table, null, NOW)).not.toEqual(krakenTicker(table, null, NOW + 60_000));
  for (let minute = 0; minute < 60; minute++) {
    const { bid, ask } = table.book('ETH', 0, NOW + minute * 60_000);
    expect(Number(bid)).toBeLessThan(Number(ask));
    expect(Math.abs(Number(bid) / 2500 - 1)).toBeLessThan(0.01);
  }
});

test('Kraken: legacy names, aliases, and one unknown pair that fails the whole call', () => {
  const table = new PriceTable();
  expect(krakenTicker(table, 'ETHEUR,LTCEUR', NOW)).toMatchObject({
    error: [],
    result: { XETHZEUR: {}, XLTCZEUR: {} },
  });
  expect(krakenTicker(table, 'ETHEUR,NOPE', NOW)).toEqual({ error: ['EQuery:Unknown asset pair'] });
  expect(krakenTicker(table, 'constructor', NOW)).toEqual({ error: ['EQuery:Unknown asset pair'] });
});

test('Binance: one symbol, several, all, and the error for an unknown one', () => {
  const table = new PriceTable();
  const ask = (query: Record<string, string>) => binanceBookTicker(table, new URLSearchParams(query), NOW);
  expect(ask({ symbol: 'ETHEUR' })).toMatchObject({ status: 200, body: { symbol: 'ETHEUR' } });
  expect(ask({ symbols: '["GRAMUSDT","EURUSDT"]' }).body).toHaveLength(2);
  const bad: Record<string, string>[] = [{ symbol: 'NOPE' }, { symbols: '["NOPE"]' }, { symbols: 'ETHEUR' }];
  for (const query of bad) {
    expect(ask(query)).toEqual({ status: 400, body: { code: -1121, msg: 'Invalid symbol.' } });
  }
  expect(binanceBookTicker(table, all, NOW).body).toContainEqual(
    expect.objectContaining({ symbol: 'TONUSDT', bidPrice: '0.00000000' }),
  );
});

test('a price that was set moves both venues', () => {
  const table = new PriceTable();
  table.setPrice('ETH', '3000');
  expect(Number(table.book('ETH', 0, NOW).bid)).toBeGreaterThan(2950);
  expect(Number(table.bookInUsdt('ETH', 0, NOW).bid)).toBeGreaterThan(3300);
});
