import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { COIN_INFO, COINS } from './coins';
import {
  centsToEuro,
  eurCentsToDueUnits,
  euroToCents,
  formatUnits,
  MAX_AMOUNT_EUR_CENTS,
  parseUnits,
  payableDecimals,
  smallestShownUnits,
  toShownAmount,
  unitsToEurCents,
} from './money';

const coin = fc.constantFrom(...COINS);
const units = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });
const cents = fc.integer({ min: 1, max: MAX_AMOUNT_EUR_CENTS });
const rate = fc.bigInt({ min: 1n, max: 10n ** 24n }).map((scaled) => formatUnits(scaled, 18));

describe('units and decimal texts', () => {
  it('survive the way there and back exactly, up to 2^256 - 1 [A18]', () => {
    fc.assert(
      fc.property(units, fc.integer({ min: 0, max: 18 }), (value, decimals) => {
        expect(parseUnits(formatUnits(value, decimals), decimals)).toBe(value);
      }),
    );
  });

  it.each(['', '1e3', '-1', '+1', '.5', '1.', '01', '1,5', ' 1', 'NaN', 'Infinity', '0x10', '1.0000000001'])(
    'refuse %j as a number with 9 decimals',
    (text) => expect(parseUnits(text, 9)).toBeNull(),
  );
});

describe('euroToCents', () => {
  it('reads every amount of cents exactly', () => {
    fc.assert(
      fc.property(cents, (value) => {
        expect(euroToCents(centsToEuro(value))).toBe(value);
      }),
    );
  });

  it.each([0, -1, 0.001, 10.999, Number.NaN, Number.POSITIVE_INFINITY, 1_000_000.01, 1e21, 1e-7])(
    'refuses %d',
    (euro) => expect(euroToCents(euro)).toBeNull(),
  );
});

describe('eurCentsToDueUnits', () => {
  it('asks at least what the invoice is worth and less than one shown unit more', () => {
    fc.assert(
      fc.property(cents, coin, rate, (amountEurCents, of, eurPerCoin) => {
        const due = eurCentsToDueUnits(amountEurCents, of, eurPerCoin);
        const scale = 10n ** BigInt(COIN_INFO[of].decimals + 18);
        const worth = (dueUnits: bigint) => dueUnits * 100n * (parseUnits(eurPerCoin, 18) ?? 0n);
        expect(worth(due) >= BigInt(amountEurCents) * scale).toBe(true);
        expect(worth(due - smallestShownUnits(of)) < BigInt(amountEurCents) * scale).toBe(true);
      }),
    );
  });

  it('is settled exactly by what the page shows', () => {
    fc.assert(
      fc.property(cents, coin, rate, (amountEurCents, of, eurPerCoin) => {
        const due = eurCentsToDueUnits(amountEurCents, of, eurPerCoin);
        const shown = toShownAmount(due, of, 'up');
        expect(parseUnits(shown, COIN_INFO[of].decimals)).toBe(due);
        expect((shown.split('.')[1] ?? '').replace(/0+$/, '').length).toBeLessThanOrEqual(payableDecimals(of));
      }),
    );
  });

  it.each([
    [14850, 'ETH', '3118.4', '0.04762058'],
    [100, 'TRX', '0.3', '3.33333400'],
    [1, 'LTC', '100000', '0.00000010'],
  ] as const)('%d cents in %s at %s EUR are %s', (amountEurCents, of, eurPerCoin, shown) => {
    expect(toShownAmount(eurCentsToDueUnits(amountEurCents, of, eurPerCoin), of, 'up')).toBe(shown);
  });

  it.each(['0', '-1', '1e3', 'NaN', ''])('refuses the rate %j', (bad) => {
    expect(() => eurCentsToDueUnits(100, 'ETH', bad)).toThrow(RangeError);
  });
});

describe('toShownAmount', () => {
  it('never shows more than was received, nor less than is due', () => {
    fc.assert(
      fc.property(units, coin, (value, of) => {
        const { decimals } = COIN_INFO[of];
        const parsed = (text: string) => parseUnits(text, Math.max(8, decimals)) ?? -1n;
        const exact = value * 10n ** BigInt(Math.max(0, 8 - decimals));
        expect(parsed(toShownAmount(value, of, 'down')) <= exact).toBe(true);
        expect(parsed(toShownAmount(value, of, 'up')) >= exact).toBe(true);
      }),
    );
  });
});

describe('unitsToEurCents', () => {
  it('values one whole coin at its rate', () => {
    expect(unitsToEurCents(10n ** 18n, 'ETH', '3118.456')).toBe(311845);
    expect(unitsToEurCents(10n ** 6n, 'TRX', '0.25')).toBe(25);
  });
});
