import Decimal from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_BODY_BYTES } from '@/lib/shared/limits';
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

  it.each([
    ['arrays', () => '[', () => ']'],
    ['objects', () => '{"a":', () => '}'],
    ['both in turns', (n: number) => (n % 2 ? '[' : '{"a":'), (n: number) => (n % 2 ? ']' : '}')],
    ['texts with escapes between', () => '["\\"]\\\\",', () => ']'],
  ])('reads %s up to 32 levels and refuses every depth above, closed or not', (_what, open, close) => {
    const levels = [
      ...Array.from({ length: 100 }, (_, n) => n + 1),
      ...Array.from({ length: 69 }, (_, n) => n * 100 + 200),
    ];
    for (const depth of [...levels, 7_000, 30_000]) {
      const opening = Array.from({ length: depth }, (_, n) => open(n)).join('');
      const closing = Array.from({ length: depth }, (_, n) => close(depth - 1 - n)).join('');
      const refusal = expect.objectContaining({ code: 'invalid_json' });
      if (depth <= 32) expect(parseJson(`${opening}"x"${closing}`)).toBeTypeOf('object');
      else expect(() => parseJson(`${opening}"x"${closing}`)).toThrowError(refusal);
      expect(() => parseJson(opening)).toThrowError(refusal);
    }
  });

  it('says which limit was passed', () => {
    expect(() => parseJson('['.repeat(33))).toThrowError('Il JSON è annidato troppo: al massimo 32 livelli.');
    expect(() => parseJson(`[${'1,'.repeat(1_000)}1]`)).toThrowError(
      'Il JSON contiene troppi valori: al massimo 1000.',
    );
    expect(parseJson(`[${'1,'.repeat(900)}1]`)).toHaveLength(901);
  });

  it('counts no bracket that stands in a text', () => {
    expect(parseJson(JSON.stringify(['['.repeat(5_000), '"{'.repeat(5_000)]))).toHaveLength(2);
  });

  it('takes a body of the most bytes in a time near that of the plainest one, whatever it repeats', () => {
    const size = MAX_BODY_BYTES;
    const fill = (unit: string) => unit.repeat(Math.floor((size - 100) / unit.length));
    const many = (count: number, make: (n: number) => string) =>
      Array.from({ length: count }, (_, n) => make(n)).join();
    const worst = {
      brackets: fill('['),
      objects: fill('{"a":'),
      numbers: `[${fill('1,')}1]`,
      keys: `{${many(5_000, (n) => `"k${n}":1`)}}`,
      // V8 hashes texts of digits by their value: such keys share their slots.
      collidingKeys: `{${many(950, (n) => `"${n * 65_536}":1`)}}`,
      sameKey: `{${fill('"a":1,')}"a":1}`,
      sameBigValue: `{${many(30, () => `"a":{${many(30, (n) => `"b${n}":"${'x'.repeat(60)}"`)}}`)}}`,
      longText: `["${fill('x')}"]`,
      escapes: `["${fill('\\u00e8')}"]`,
      spaces: `[${fill(' ')}]`,
      digits: `[${fill('9')}]`,
      open: `["${fill('\\"')}`,
    };
    const plain = `["${fill('a')}"]`;
    const time = (text: string) => {
      const runs = Array.from({ length: 7 }, () => {
        const startedAt = performance.now();
        try {
          parseJson(text);
        } catch {
          // Refused is an answer too.
        }
        return performance.now() - startedAt;
      });
      return Math.min(...runs);
    };
    time(plain);
    const base = time(plain);
    for (const [what, text] of Object.entries(worst)) expect(time(text) / base, what).toBeLessThan(15);
  });

  it('needs no more than a moment for the longest number that a body can hold', () => {
    const startedAt = performance.now();
    expect(parseJson(`1.${'0'.repeat(60_000)}1`)).toEqual(expect.any(Symbol));
    expect(performance.now() - startedAt).toBeLessThan(500);
  });
});
