import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openSealed, seal } from './seal';

describe('seal', () => {
  const key = randomBytes(32);

  it('opens to the same bytes, whatever they are', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string(), (plain, context) => {
        expect(new Uint8Array(openSealed(seal(plain, key, context), key, context))).toEqual(plain);
      }),
    );
  });

  it('never makes the same sealed bytes twice', () => {
    const plain = Buffer.from('uguale');
    expect(Buffer.from(seal(plain, key, 'a'))).not.toEqual(Buffer.from(seal(plain, key, 'a')));
  });

  it('does not open with another key, in another context, or with any bit changed', () => {
    const sealed = seal(Buffer.from('segreto'), key, 'riga 1');
    expect(() => openSealed(sealed, randomBytes(32), 'riga 1')).toThrow();
    expect(() => openSealed(sealed, key, 'riga 2')).toThrow();
    for (let index = 0; index < sealed.length; index++) {
      const altered = Uint8Array.from(sealed);
      altered[index] = (altered[index] ?? 0) ^ 1;
      expect(() => openSealed(altered, key, 'riga 1')).toThrow();
    }
    expect(() => openSealed(sealed.subarray(0, 20), key, 'riga 1')).toThrow();
  });
});
