import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateApiKey, hashApiKey, isApiKey, maskApiKey } from './key-format';

const key = fc.constant(null).map(generateApiKey);
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

describe('API key format', () => {
  it('has the prefix, 32 random and 6 checksum characters, and no key comes twice', () => {
    const keys = Array.from({ length: 1000 }, generateApiKey);
    for (const each of keys) expect(each).toMatch(/^inc_live_[0-9A-Za-z]{38}$/);
    expect(new Set(keys).size).toBe(1000);
  });

  it('uses every character about equally often', () => {
    const counts = new Map<string, number>();
    for (let n = 0; n < 2000; n++)
      for (const character of generateApiKey().slice(9, 41)) counts.set(character, (counts.get(character) ?? 0) + 1);
    expect(counts.size).toBe(62);
    const expected = (2000 * 32) / 62;
    const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
    // 61 degrees of freedom: above 130 with probability below 10⁻⁶.
    expect(chiSquare).toBeLessThan(130);
  });

  it('knows its own keys, and none in which a character was changed or two were swapped', () => {
    fc.assert(
      fc.property(key, fc.integer({ min: 9, max: 46 }), fc.constantFrom(...BASE62), (good, at, character) => {
        expect(isApiKey(good)).toBe(true);
        const changed = good.slice(0, at) + character + good.slice(at + 1);
        expect(isApiKey(changed)).toBe(changed === good);
        const swapped = good.slice(0, at - 1) + good.charAt(at) + good.charAt(at - 1) + good.slice(at + 1);
        if (at > 9) expect(isApiKey(swapped)).toBe(swapped === good);
      }),
    );
  });

  it('refuses any other text', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((text) => `inc_live_${text}`),
        ),
        (text) => {
          expect(isApiKey(text)).toBe(false);
        },
      ),
    );
    const good = generateApiKey();
    for (const bad of [` ${good}`, `${good}\n`, good.toUpperCase(), good.slice(1), `${good}0`])
      expect(isApiKey(bad)).toBe(false);
  });

  it('[S9.16-01] shows the first 14 and last 7 characters, which leave 26 random ones unknown', () => {
    fc.assert(
      fc.property(key, (good) => {
        expect(maskApiKey(good)).toBe(`${good.slice(0, 14)}••••${good.slice(-7)}`);
        expect(isApiKey(maskApiKey(good))).toBe(false);
      }),
    );
  });

  it('is looked up by a SHA-256 that fits its column', () => {
    expect(hashApiKey('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  });
});
