import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseEuro } from './parse-euro';

const cents = (text: string) => parseEuro(text).cents;

describe('parseEuro', () => {
  it.each([
    ['1234,56', 123456],
    ['1234.56', 123456],
    ['1.234,56', 123456],
    ['1,234.56', 123456],
    ['1.234.567,8', null],
    ['12.345.6', null],
    ['148,5', 14850],
    ['148.5 €', 14850],
    ['0,01', 1],
    [',5', 50],
    ['007', 700],
    ['1000000', 100_000_000],
    ['100.000,00', 10_000_000],
  ])('reads %s', (text, expected) => {
    expect(cents(text)).toBe(expected);
  });

  it.each(['1.234', '1,234', '12.345', '999,999'])('refuses %s, which could mean two sums', (text) => {
    expect(parseEuro(text)).toEqual({ cents: null, problem: 'ambiguous', digits: text.replace(/[.,]/, '') });
  });

  it.each([
    '',
    ' ',
    '0',
    '0,00',
    '-5',
    '+5',
    '1e3',
    'NaN',
    'Infinity',
    '0,123',
    '1,2345',
    '1234,567',
    '1.2.3',
    '1,2,3',
    '1.23,45',
    '1.234,56,7',
    '1000000,01',
    'dieci',
    '5,',
  ])('refuses %j as no amount', (text) => {
    expect(parseEuro(text)).toEqual({ cents: null, problem: 'invalid' });
  });

  it('gives back every sum, however it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100_000_000 }), (sum) => {
        const plain = `${Math.trunc(sum / 100)}.${String(sum % 100).padStart(2, '0')}`;
        const grouped = new Intl.NumberFormat('it-IT', { minimumFractionDigits: 2, useGrouping: 'always' });
        expect(cents(plain)).toBe(sum);
        expect(cents(plain.replace('.', ','))).toBe(sum);
        expect(cents(grouped.format(plain as Intl.StringNumericLiteral))).toBe(sum);
      }),
    );
  });

  it('never takes one text for two sums: what it accepts, it accepts with point and comma swapped', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9.,]{1,10}$/), (text) => {
        const swapped = text.replace(/[.,]/g, (separator) => (separator === '.' ? ',' : '.'));
        expect(cents(swapped)).toBe(cents(text));
      }),
    );
  });
});
