import Decimal from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseJson } from './parse-json';

Decimal.set({ precision: 2000 });

const digits = (min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: min, maxLength: max });
const plainDecimal = fc
  .tuple(
    fc.constantFrom('', '-'),
    fc.oneof(fc.constant('0'), fc.bigInt({ min: 1n, max: 10n ** 24n }).map(String)),
    digits(0, 20),
  )
  .map(([sign, whole, fraction]) => sign + whole + (fraction && `.${fraction}`));

describe('parseJson', () => {
  it('gives a plain decimal as a number only when the number is worth exactly what was written', () => {
    fc.assert(
      fc.property(plainDecimal, (text) => {
        const value = parseJson(text);
        if (typeof value === 'symbol') return;
        expect(typeof value).toBe('number');
        expect(new Decimal(String(value)).equals(new Decimal(text))).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('gives back every number whose own text is a plain decimal', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (number) => {
        const text = String(number);
        expect(typeof parseJson(text)).toBe(text.includes('e') ? 'symbol' : 'number');
        if (!text.includes('e')) expect(parseJson(text)).toBe(Number(text));
      }),
      { numRuns: 2000 },
    );
  });

  it('reads every amount of cents with up to 2 decimals, with or without zeros at the end', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (cents) => {
        const text = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
        expect(parseJson(text)).toBe(cents / 100);
      }),
    );
  });

  it.each([
    '1e3',
    '1E3',
    '1e-7',
    '-0',
    '1e999',
    '0.1000000000000000055',
    '9007199254740993',
    '1.000000000000000000000000000000000000000001',
  ])('makes no number of %s, nor breaks on it', (text) => {
    expect(parseJson(`{"amountEuro":${text}}`)).toEqual({ amountEuro: expect.any(Symbol) });
  });

  it('agrees with JSON.parse on every text without numbers', () => {
    const value = fc
      .jsonValue({ noUnicodeString: false })
      .map((json) =>
        JSON.parse(JSON.stringify(json), (_key, inner) => (typeof inner === 'number' ? String(inner) : inner)),
      );
    fc.assert(
      fc.property(value, (json) => {
        expect(parseJson(JSON.stringify(json))).toEqual(json);
      }),
    );
  });

  it.each([
    '',
    '{',
    '{"a":}',
    '{a:1}',
    '[1,]',
    'NaN',
    'Infinity',
    '01',
    '.5',
    '1.',
    '+1',
    "{'a':1}",
    '{"a":1}x',
    '{"a":1,"a":2}',
  ])('refuses %j as broken JSON', (text) => {
    expect(() => parseJson(text)).toThrowError(expect.objectContaining({ code: 'invalid_json' }));
  });

  it('takes __proto__ as an ordinary key that changes no prototype', () => {
    const value = parseJson('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}}}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(({} as Record<string, unknown>).isAdmin).toBeUndefined();
    expect(Object.keys(value as object)).toEqual(['__proto__', 'constructor']);
  });

  it('refuses what is nested deeper than the stack, instead of falling over', () => {
    const depth = 30_000;
    expect(() => parseJson('['.repeat(depth) + ']'.repeat(depth))).toThrowError(
      expect.objectContaining({ code: 'invalid_json' }),
    );
  });

  it('needs no more than a moment for the longest number that a body can hold', () => {
    const startedAt = performance.now();
    expect(parseJson(`1.${'0'.repeat(60_000)}1`)).toEqual(expect.any(Symbol));
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
