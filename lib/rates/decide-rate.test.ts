import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MAX_RATE_AGE_SECONDS } from '@/lib/shared/limits';
import { addSeconds } from '@/lib/shared/time';
import { decideRate, type KnownRate, type RateStep } from './decide-rate';
import type { VenueQuote } from './venue';

const now = new Date('2026-11-27T12:00:00Z');
const ago = (seconds: number) => addSeconds(now, -seconds);
const quote = (venue: string, price: string): VenueQuote => ({
  venue,
  coin: 'ETH',
  bid: price,
  ask: price,
  synthetic: false,
});
const both = (price: string) => [quote('kraken', price), quote('binance', price)];
const stored = (more: Partial<KnownRate> = {}): KnownRate => ({
  rate: '2500',
  fetchedAt: ago(30),
  doubt: null,
  ...more,
});
const candidate = (rounds: number, since: Date, rate = '2100') => ({
  since: ago(90),
  candidate: { rate, since, rounds },
});

describe('a stored rate of 2,500', () => {
  test.each<[string, VenueQuote[], RateStep['does'], string]>([
    ['both venues say 2,100', both('2100'), 'doubt', 'jump'],
    ['both say 3,000', both('3000'), 'doubt', 'jump'],
    ['they say 2,100 and 2,200: no price, but not 2,500', [quote('a', '2100'), quote('b', '2200')], 'doubt', ''],
    ['they say 2,100 and 2,900', [quote('a', '2100'), quote('b', '2900')], 'doubt', 'disagreement'],
    ['one is down and the other says 2,100', [quote('a', '2100')], 'doubt', 'too_few_venues'],
    ['one is down and the other says 2,400', [quote('a', '2400')], 'keep', 'too_few_venues'],
    ['one says 2,100 and the other still 2,500', [quote('a', '2100'), quote('b', '2500')], 'keep', 'disagreement'],
    ['one pair is inverted', [quote('a', '0.0004'), quote('b', '2500')], 'keep', 'disagreement'],
    [
      'three disagree around 2,100, but a fourth, an outlier, still says 2,500',
      [quote('a', '2100'), quote('b', '2110'), quote('c', '2160'), quote('d', '2500')],
      'keep',
      'disagreement',
    ],
    ['nobody says a price', [quote('a', '0'), quote('b', '-1')], 'keep', 'too_few_venues'],
    ['both say 2,200', both('2200'), 'adopt', ''],
    ['three say 2,100', [...both('2100'), quote('c', '2100')], 'adopt', ''],
  ])('when %s', (_, quotes, does, reason) => {
    const step = decideRate(stored(), quotes, now);
    expect(step.does).toBe(does);
    if (reason) expect(step).toMatchObject({ reason });
    if (step.does === 'doubt') expect(step.doubt.since).toEqual(now);
  });

  test('that is too old sells nothing anyway: two venues replace it at once', () => {
    expect(decideRate(stored({ fetchedAt: ago(301) }), both('2100'), now)).toMatchObject({
      does: 'adopt',
      rate: '2100.00000000',
    });
  });

  test('that is from two hours ahead is none: it neither guards against the true price nor sells', () => {
    const ahead = stored({ rate: '9999', fetchedAt: ago(-7200) });
    expect(decideRate(ahead, both('2500'), now)).toMatchObject({ does: 'adopt', rate: '2500.00000000' });
    expect(decideRate(ahead, [quote('a', '2500')], now)).toMatchObject({ does: 'keep' });
  });
});

describe('a rate in doubt', () => {
  test.each<[string, KnownRate['doubt'], VenueQuote[], RateStep['does'], number | null]>([
    ['a second round at the new level', candidate(1, ago(30)), both('2110'), 'doubt', 2],
    ['a third one before a minute is over', candidate(2, ago(59)), both('2110'), 'doubt', 3],
    ['a second one after a minute', candidate(1, ago(60)), both('2110'), 'doubt', 2],
    ['a third one after a minute', candidate(2, ago(60)), both('2110'), 'adopt', null],
    ['another level than before', candidate(2, ago(60), '2000'), both('2110'), 'doubt', 1],
    ['a third venue that sees it', candidate(1, ago(1)), [...both('2110'), quote('c', '2110')], 'adopt', null],
    ['venues that disagree', candidate(2, ago(60)), [quote('a', '2100'), quote('b', '2500')], 'doubt', null],
    ['one venue that says the old price', candidate(2, ago(60)), [quote('a', '2500')], 'doubt', null],
    ['both at the old price', candidate(2, ago(60)), both('2480'), 'adopt', null],
  ])('meets %s', (_, doubt, quotes, does, rounds) => {
    const step = decideRate(stored({ doubt }), quotes, now);
    expect(step.does).toBe(does);
    if (step.does !== 'doubt') return;
    expect(step.doubt.since).toEqual(ago(90));
    expect(step.doubt.candidate?.rounds ?? null).toBe(rounds);
  });

  test('is replaced by the newest of the confirmed prices, not by the first', () => {
    expect(decideRate(stored({ doubt: candidate(2, ago(60)) }), both('2110'), now)).toMatchObject({
      rate: '2110.00000000',
    });
  });

  test('stays in doubt while the price runs: each round is near the one before, and far from the first', () => {
    let known: KnownRate = stored();
    for (const [index, price] of ['2100', '2070', '2040', '2010', '1980', '1950', '1920'].entries()) {
      const step = decideRate(known, both(price), addSeconds(now, index * 30));
      expect(step.does).toBe('doubt');
      if (step.does === 'doubt') known = { ...known, doubt: step.doubt };
    }
  });
});

const round = fc.record({
  afterSeconds: fc.integer({ min: 1, max: 120 }),
  prices: fc.array(fc.integer({ min: 1_500, max: 3_500 }), { maxLength: 4 }),
});

test('no invoice is ever priced at a rate that all venues that answered contradict by more than 5 %', () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 12 }), (rounds) => {
      let at = now;
      let known = null as KnownRate | null;
      for (const { afterSeconds, prices } of rounds) {
        at = addSeconds(at, afterSeconds);
        const quotes = prices.map((price, index) => quote(`venue${index}`, String(price)));
        const step = decideRate(known, quotes, at);
        if (step.does === 'adopt') known = { rate: step.rate, fetchedAt: at, doubt: null };
        else if (step.does === 'doubt' && known) known = { ...known, doubt: step.doubt };
        if (!known || known.doubt || known.fetchedAt < addSeconds(at, -MAX_RATE_AGE_SECONDS)) continue;
        const sold = Number(known.rate);
        expect(prices.length > 0 && prices.every((price) => Math.abs(price - sold) > sold * 0.05)).toBe(false);
      }
    }),
    { numRuns: 500 },
  );
});
