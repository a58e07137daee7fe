import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { COINS } from '@/lib/shared/coins';
import { addressGroups } from './address';

describe('addressGroups', () => {
  test('an EVM address is 0x and ten groups of four', () => {
    const { prefix, groups } = addressGroups('0xEE46C07c03e182E69B7bA735C616E0d80fdb39b6', 'ETH');
    expect(prefix).toBe('0x');
    expect(groups).toHaveLength(10);
    expect(groups[0]).toBe('EE46');
  });

  test('a Litecoin address hangs its network prefix out, also on the local net', () => {
    expect(addressGroups('ltc1qhuvudaqwk73', 'LTC').prefix).toBe('ltc1');
    expect(addressGroups('rltc1qhuvudaqwk73', 'LTC').prefix).toBe('rltc1');
    expect(addressGroups('THtL1B8NJScRADWs', 'TRX').prefix).toBe('');
  });

  test('nothing is added or lost: the parts joined are the address', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^(0x|ltc1|)[A-Za-z0-9_-]{0,60}$/), fc.constantFrom(...COINS), (address, coin) => {
        const { prefix, groups } = addressGroups(address, coin);
        expect(prefix + groups.join('')).toBe(address);
      }),
    );
  });
});
