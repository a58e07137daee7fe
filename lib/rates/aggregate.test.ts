import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { aggregateRate } from './aggregate';
import { Decimal } from './decimal';
import type { VenueQuote } from './venue';

const now = new Date('2026-11-27T12:00:00Z');
const quote = (venue: string, bid: string, ask = bid): VenueQuote => ({
  venue,
  coin: 'ETH',
  bid,
  ask,
  synthetic: false,
});
const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000);

test('two venues that agree give the middle of their middles', () => {
  const decision = aggregateRate([quote('kraken', '2499', '2501'), quote('binance', '2509', '2511')], null, now);
  expect(decision).toMatchObject({ agreed: true, rate: '2505.00000000' });
});

test('three venues give the median', () => {
  const quotes = [quote('a', '2500'), quote('b', '2501'), quote('c', '2510')];
  expect(aggregateRate(quotes, null, now)).toMatchObject({ agreed: true, rate: '2501.00000000' });
});

test('prices are exact decimals: what binary floats cannot hold is not rounded', () => {
  const decision = aggregateRate([quote('a', '0.1', '0.1'), quote('b', '0.1002', '0.1002')], null, now);
  expect(decision).toMatchObject({ agreed: true, rate: '0.10010000' });
});

describe('[B7] no rate', () => {
  test.each<[string, VenueQuote[], string]>([
    ['nobody answers', [], 'too_few_venues'],
    ['one venue alone', [quote('kraken', '2500')], 'too_few_venues'],
    ['two prices of one venue', [quote('kraken', '2500'), quote('kraken', '2501')], 'too_few_venues'],
    ['the other is zero', [quote('kraken', '2500'), quote('binance', '0.00000000')], 'too_few_venues'],
    ['the other is negative', [quote('kraken', '2500'), quote('binance', '-2500')], 'too_few_venues'],
    ['the other is no plain number', [quote('kraken', '2500'), quote('binance', '2.5e3')], 'too_few_venues'],
    ['the other has bid above ask', [quote('kraken', '2500'), quote('binance', '2501', '2499')], 'too_few_venues'],
    ['the other has a wide spread', [quote('kraken', '2500'), quote('binance', '2400', '2600')], 'too_few_venues'],
    ['a pair is inverted', [quote('kraken', '0.0004'), quote('binance', '2500')], 'disagreement'],
    ['a price is 1000 times too high', [quote('kraken', '2500000'), quote('binance', '2500')], 'disagreement'],
    ['a price is 1000 times too low', [quote('kraken', '2.5'), quote('binance', '2500')], 'disagreement'],
    ['two differ by more than 2 %', [quote('kraken', '2500'), quote('binance', '2551')], 'disagreement'],
  ])('when %s', (_, quotes, reason) => {
    expect(aggregateRate(quotes, null, now)).toMatchObject({ agreed: false, reason });
  });
});

test('[B7] one inverted pair among three is dropped and said to be so', () => {
  const decision = aggregateRate([quote('a', '2500'), quote('b', '2502'), quote('c', '0.0004')], null, now);
  expect(decision).toMatchObject({ agreed: true, rate: '2501.00000000' });
  expect(decision.quotes.map(({ discarded }) => discarded)).toEqual([null, null, 'outlier']);
});

describe('guard against jumps', () => {
  const fallen = [quote('a', '2000'), quote('b', '2001')];

  test('two venues do not move a young rate by more than 15 %', () => {
    expect(aggregateRate(fallen, { rate: '2500', at: ago(30) }, now)).toMatchObject({ agreed: false, reason: 'jump' });
  });
  test('three venues do', () => {
    expect(aggregateRate([...fallen, quote('c', '2002')], { rate: '2500', at: ago(30) }, now).agreed).toBe(true);
  });
  test('two venues do once the last rate is too old to price with', () => {
    expect(aggregateRate(fallen, { rate: '2500', at: ago(301) }, now).agreed).toBe(true);
  });
  test('a smaller move passes', () => {
    expect(aggregateRate(fallen, { rate: '2200', at: ago(30) }, now).agreed).toBe(true);
  });
});

const cents = fc.integer({ min: 1, max: 10_000_000 });
const quotesArbitrary = fc
  .array(fc.tuple(cents, fc.integer({ min: 0, max: 1000 })), { maxLength: 7 })
  .map((books) =>
    books.map(([bid, spread], index) =>
      quote(`venue${index}`, new Decimal(bid).div(100).toFixed(), new Decimal(bid + spread).div(100).toFixed()),
    ),
  );

test('an agreed rate lies within the kept prices, two venues at least stand behind it, and they differ by 2 % at most', () => {
  fc.assert(
    fc.property(quotesArbitrary, (quotes) => {
      const decision = aggregateRate(quotes, null, now);
      if (!decision.agreed) return;
      const kept = decision.quotes.flatMap(({ mid, discarded }) => (mid && !discarded ? [new Decimal(mid)] : []));
      expect(kept.length).toBeGreaterThanOrEqual(2);
      const [low, high] = [Decimal.min(...kept), Decimal.max(...kept)];
      expect(low.toDecimalPlaces(8, Decimal.ROUND_DOWN).lte(decision.rate)).toBe(true);
      expect(high.toDecimalPlaces(8, Decimal.ROUND_UP).gte(decision.rate)).toBe(true);
      expect(high.minus(low).lte(high.times('0.02'))).toBe(true);
    }),
  );
});

test('the order of the venues decides nothing', () => {
  fc.assert(
    fc.property(quotesArbitrary, (quotes) => {
      const there = aggregateRate(quotes, null, now);
      const back = aggregateRate([...quotes].reverse(), null, now);
      expect({ ...back, quotes: [...back.quotes].reverse() }).toEqual(there);
    }),
  );
});

test('no single venue, whatever it says, moves the rate of two that agree by more than their own distance', () => {
  fc.assert(
    fc.property(cents, (wild) => {
      const decision = aggregateRate([quote('a', '2500'), quote('b', '2501'), quote('c', `${wild}`)], null, now);
      expect(decision.agreed).toBe(true);
      if (decision.agreed) {
        expect(new Decimal(decision.rate).gte('2500')).toBe(true);
        expect(new Decimal(decision.rate).lte('2501')).toBe(true);
      }
    }),
  );
});
