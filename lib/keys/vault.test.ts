import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { KEK_VERSION, openSeed, sealSeed } from './vault';

const identity = () => ({ sealId: randomUUID(), network: 'devnet', kekVersion: KEK_VERSION });

describe('vault', () => {
  it('gives back the seed to the holder of the KEK', () => {
    const seed = randomBytes(32);
    const kek = randomBytes(32);
    expect(openSeed(sealSeed(seed, kek, identity()), kek)).toEqual(seed);
  });

  it('refuses another KEK', () => {
    expect(() => openSeed(sealSeed(randomBytes(32), randomBytes(32), identity()), randomBytes(32))).toThrow();
  });

  it('refuses a sealed seed that was moved into another row or network (case F9)', () => {
    const kek = randomBytes(32);
    const row = sealSeed(randomBytes(32), kek, identity());
    expect(() => openSeed({ ...row, sealId: randomUUID() }, kek)).toThrow();
    expect(() => openSeed({ ...row, network: 'mainnet' }, kek)).toThrow();
    expect(() => openSeed({ ...row, kekVersion: 2 }, kek)).toThrow();
  });
});
